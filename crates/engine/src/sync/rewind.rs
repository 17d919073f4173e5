//! Hiding what a list does not have any more.

use throughline_conversation::{Action, Edit, EditReason, RecordBody, Seq, Span, ViewError};

use super::pieces::PieceKind;
use crate::engine_error::EngineError;
use crate::operation::Operation;
use crate::state::EngineState;
use throughline_text::counted;

/// Where a view is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// Known pieces that stay.
    pub(super) stay: usize,
    /// The first record that goes.
    first: Option<Seq>,
}

impl EngineState {
    fn show_rewound(&mut self, edit: Edit, gone: usize) -> Result<(), ViewError> {
        self.session.append(RecordBody::Edit(edit))?;
        self.window.drop_anchor();
        self.session.forget_view();
        let what = format!("{} hidden", counted(gone as u64, "message"));
        self.session.record_decision("sync", what, "the caller's list has other messages from there on");
        Ok(())
    }
}

impl Operation<'_> {
    /// Where the view is cut if everything from the known piece `same` on goes: a result goes with its call, and a summary as a
    /// whole.
    pub(super) fn cut(&self, same: usize) -> Cut {
        let known = &self.engine.known.messages;
        let mut stay = same;
        while stay > 0 && known.get(stay).is_some_and(|message| message.kind == PieceKind::Results) {
            stay -= 1;
        }
        let first = known.get(stay).map(|message| message.span.first);
        let entries = self.engine.state.session.view().native();
        let over =
            first.and_then(|at| entries.iter().find(|entry| entry.span.first < at && entry.span.last >= at));
        match over {
            // What the entry represents before the cut is appended again.
            Some(entry) => Cut {
                stay: known.partition_point(|message| message.span.last < entry.span.first),
                first: Some(entry.span.first),
            },
            None => Cut { stay, first },
        }
    }

    /// Hides everything from the known piece `same` on, or from before it where the cut needs that. Returns how many pieces
    /// stay, and how many are hidden.
    pub(super) fn rewind(&mut self, same: usize) -> Result<(usize, usize), EngineError> {
        let Cut { stay, first } = self.cut(same);
        let engine = &mut *self.engine;
        let given = engine.known.messages.get(stay).and_then(|message| message.given.as_ref());
        let place = given.map_or(0, |given| given.start);
        let gone = engine.known.messages.len().saturating_sub(stay);
        let entries = engine.state.session.view().native();
        let last = entries.last().map(|entry| entry.span.last);
        if let (Some(first), Some(last)) = (first, last)
            && first <= last
        {
            let cover = Action::Cover { span: Span { first, last }, summary: None, note: None };
            let (actions, strategies) = (vec![cover], vec!["sync".to_owned()]);
            let edit = Edit { reason: EditReason::Rewound, actions, strategies };
            let shown = engine.state.show_rewound(edit, gone);
            shown.map_err(|error| EngineError::Message { place, why: error.to_string() })?;
        }
        engine.known.messages.truncate(stay);
        Ok((stay, gone))
    }
}
