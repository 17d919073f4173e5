//! Plan mode: at the end of a turn the user approves the plan, or says what is wrong with it.

use throughline_conversation::{EntryKind, Message};
use throughline_permission::Mode;
use throughline_session::has_plan;
use throughline_tui::{Earlier, Picker, PickerRow, Show};

use super::driver::{Driver, Flow};
use super::live::ScreenSession;
use super::turn::{PendingInput, Work};

/// The id of the picker.
pub(super) const PLAN: &str = "plan";

/// What the model is sent with a yes.
const APPROVED: &str = "The plan is approved. Carry it out.";

/// The id of the row that changes nothing; those of the others are modes.
const NO: &str = "no";

/// Asks about the plan that a turn in plan mode ended with, if there is one in its answer. Input that waits is the user's answer already.
pub(super) fn ask(live: &ScreenSession, mode: Mode, pending: &PendingInput) -> Option<Show> {
    if mode != Mode::Plan || !pending.acts.is_empty() || pending.end.is_some() {
        return None;
    }
    let last = live.session.agent.view().entries().last()?;
    let is_plan = last.kind == EntryKind::Assistant
        && last.message.tool_calls().next().is_none()
        && has_plan(&last.message.text());
    is_plan.then(|| Show::Picker(picker()))
}

fn picker() -> Picker {
    let row = |id: &str, text: &str| PickerRow {
        id: id.to_owned(),
        cells: vec![text.to_owned()],
        preview: None,
        notes: Vec::new(),
    };
    Picker {
        id: PLAN.to_owned(),
        title: "Go ahead with this plan?".to_owned(),
        rows: vec![
            row(Mode::Ask.name(), "yes, ask before each edit"),
            row(Mode::AutoEdit.name(), "yes, with edits allowed"),
            row(NO, "no, change the plan: write what"),
        ],
        letters: vec!['y', 'a', 'n'],
        unasked: true,
        ..Picker::default()
    }
}

impl Driver {
    /// Carries out the plan in the chosen mode, or waits for what is wrong with it.
    pub(super) async fn plan_picked(&mut self, row: &str) -> Flow {
        let Some(mode) = Mode::named(row) else {
            self.setup.screen.notice("Still in plan mode: write what to change.");
            return Flow::Stay;
        };
        self.setup.set_mode(mode);
        self.setup.screen.show(Show::Restored(vec![Earlier::User(APPROVED.to_owned())]));
        self.work(Work::Message { title: String::new(), message: Message::user(APPROVED) }).await
    }
}
