//! The picker of sessions.

use throughline_commands::refusal;
use throughline_conversation::SessionId;
use throughline_stored::SessionStart;
use throughline_text::error_chain;
use throughline_tui::{Show, TurnState};

use super::background::NO_SESSION;
use super::compacting::COMPACT;
use super::driver::{Driver, Flow};
use super::planning::PLAN;
use super::rewinding::{REWIND, REWIND_TO};
use super::session_list::picker;
use super::undoing::{REDO, UNDO};

/// The id of the picker before the first session.
pub(super) const FIRST: &str = "first";
/// The id of the picker of another session.
pub(super) const RESUME: &str = "resume";

impl Driver {
    /// Shows the picker before the first session.
    pub(super) async fn choose_first(&mut self, search: String) {
        self.offer(FIRST, search).await;
    }

    /// Opens the one session that matches the words, or shows the picker.
    pub(super) async fn resume(&mut self, search: Option<&str>) -> anyhow::Result<()> {
        let Some(search) = search else {
            self.offer(RESUME, String::new()).await;
            return Ok(());
        };
        let found = self.setup.data.matching(search, self.setup.options.choice.folder.as_deref()).await?;
        match found.as_slice() {
            [one] => self.open_instead(one.info.id.clone()).await,
            _ => {
                self.offer(RESUME, search.to_owned()).await;
                Ok(())
            }
        }
    }

    async fn offer(&mut self, id: &str, search: String) {
        let screen = self.setup.screen.clone();
        let open = self.live.as_ref().map(|live| &live.session.info.id);
        match picker(&self.setup.data, &self.setup.workspace, open, id, search).await {
            Ok(picker) if picker.rows.is_empty() => {
                let other = if self.live.is_some() { "other " } else { "" };
                screen.notice(format!("There is no {other}session to resume yet."));
                if self.live.is_none()
                    && let Err(error) = self.open(SessionStart::New).await
                {
                    screen.problem(refusal(&error));
                }
            }
            Ok(picker) => screen.show(Show::Picker(picker)),
            Err(error) => screen.problem(error_chain(error.as_ref())),
        }
    }

    /// Continues in a copy of the open session.
    pub(super) async fn fork(&mut self) -> anyhow::Result<()> {
        match self.live.as_ref().map(|live| live.session.info.id.clone()) {
            Some(session) => self.open(SessionStart::Fork(session)).await,
            None => {
                self.setup.screen.notice(NO_SESSION);
                Ok(())
            }
        }
    }

    async fn open_instead(&mut self, session: SessionId) -> anyhow::Result<()> {
        if self.live.as_ref().is_some_and(|live| live.session.info.id == session) {
            self.setup.screen.notice("This session is open already.");
            return Ok(());
        }
        let fork = self.setup.options.choice.fork && self.live.is_none();
        self.open(SessionStart::of(session, fork)).await
    }

    pub(super) async fn picked(&mut self, picker: &str, row: &str) -> Flow {
        let done = match picker {
            FIRST | RESUME => match SessionId::new(row) {
                Ok(session) => self.open_instead(session).await,
                Err(error) => Err(error.into()),
            },
            UNDO | REDO => self.undo_picked(picker, row).await,
            COMPACT => self.proposal_picked(row).await,
            REWIND => self.rewind_picked(row).await,
            REWIND_TO => self.rewind_to(row).await,
            PLAN => {
                let flow = self.plan_picked(row).await;
                self.setup.screen.turn(TurnState::Idle);
                return flow;
            }
            _ => {
                let flow = self.model(Some(row)).await;
                self.setup.screen.turn(TurnState::Idle);
                return flow;
            }
        };
        if let Err(error) = done {
            self.setup.screen.problem(refusal(&error));
            if picker == FIRST {
                // Another session may be free.
                self.offer(FIRST, String::new()).await;
            }
        }
        Flow::Stay
    }

    /// Closing the first picker ends the program.
    pub(super) fn closed(&self, picker: &str) -> Flow {
        if [UNDO, REDO, REWIND_TO, COMPACT].contains(&picker) {
            self.setup.screen.notice("Nothing changed.");
        }
        if picker == FIRST { Flow::End(0) } else { Flow::Stay }
    }

    /// Takes over a new title of the open session from the picker.
    pub(super) fn renamed(&mut self, row: &str, title: &str) {
        if let Some(live) = self.live.as_mut().filter(|live| live.session.info.id.as_str() == row) {
            title.clone_into(&mut live.session.info.title);
        }
    }
}
