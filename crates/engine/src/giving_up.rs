//! Giving up what is open, because the session continues without it.

use throughline_continuity::close_open_calls;
use throughline_conversation::{ContentBlock, Message, Source, ToolResult, View};

use crate::engine::ContextEngine;
use crate::operation::Operation;
use crate::stage::Stage;
use crate::sync::PieceKind;

impl ContextEngine {
    /// Gives up what is open. A request that is given up leaves its decisions to the next one, calls the receipts of their results.
    pub(crate) fn abandon(&mut self) {
        match std::mem::take(&mut self.stage) {
            Stage::Asked(open) => self.state.session.restore_receipt(*open.receipt),
            Stage::Calling(calls) => {
                let offloaded = calls.done.into_values().filter_map(|settled| settled.offloaded);
                self.state.session.note_offloaded(offloaded);
            }
            Stage::Idle | Stage::Summarizing(_) => {}
        }
        if let Some(caller) = &self.state.model.caller {
            caller.forget();
        }
    }

    /// The message that answers the calls which are open: with the results that have come, and for the others that they were cut
    /// off. No provider takes a call without a result.
    pub(crate) fn closing(&self) -> Option<Message> {
        closing(self.view(), |id| match &self.stage {
            Stage::Calling(calls) => calls.settled(id).map(|settled| settled.result.clone()),
            _ => None,
        })
    }
}

/// The message that answers the open calls of a view: with these results, or with the error that they were cut off.
pub(crate) fn closing(view: &View, settled: impl Fn(&str) -> Option<ToolResult>) -> Option<Message> {
    let mut message = close_open_calls(view)?;
    for block in &mut message.content {
        let ContentBlock::ToolResult(result) = block else { continue };
        if let Some(settled) = settled(&result.call_id) {
            *result = settled;
        }
    }
    Some(message)
}

impl Operation<'_> {
    /// Gives up what is open, and answers the calls that are.
    pub(crate) fn close_calls(&mut self) {
        let closing = self.engine.closing();
        self.engine.abandon();
        if let Some(message) = closing {
            self.engine.state.session.append_message(&self.turn, message, Source::Engine);
            self.engine.note_known(PieceKind::Results);
        }
    }
}
