//! Plan mode, as the model learns of it: a note in each message, and memos that are not saved.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{HookReport, TurnHooks};
use throughline_conversation::{ContentBlock, Message, View, mode_note};
use throughline_memory::{Memo, MemoDraft, MemoFilter, MemoId, NoteError, NoteRepository, Removal, Saved};
use throughline_permission::{Mode, Permissions};
use throughline_tools::CancelFlag;

use crate::ending::answer_text;
use crate::hooks::SessionHooks;

/// The heading of a plan, by the note.
const HEADING: &str = "## Plan";

/// Returns true if an answer of the model has a plan that the user may approve: its heading, outside of code.
#[must_use]
pub fn has_plan(answer: &str) -> bool {
    let mut in_code = false;
    answer_text(answer).lines().any(|line| {
        in_code ^= line.trim_start().starts_with("```");
        !in_code && line.trim_end() == HEADING
    })
}

/// The boundaries of a session's turns: its hooks, and the note about plan mode behind each message of the user.
#[derive(Debug)]
pub(crate) struct PlanNotes {
    pub(crate) permissions: Arc<Permissions>,
    /// The session works for another one, which has the user.
    pub(crate) is_agent: bool,
    /// `None`: there are none.
    pub(crate) hooks: Option<Arc<SessionHooks>>,
}

#[async_trait]
impl TurnHooks for PlanNotes {
    async fn prompt(&self, message: Message, cancel: &CancelFlag) -> Result<Message, String> {
        let mut message = match &self.hooks {
            Some(hooks) => hooks.prompt(message, cancel).await?,
            None => message,
        };
        if self.permissions.mode() == Mode::Plan && !message.text().trim().is_empty() {
            message.content.push(ContentBlock::Text { text: note(self.is_agent) });
        }
        Ok(message)
    }

    async fn ending(&self, text: &str, again: bool, cancel: &CancelFlag) -> Option<Message> {
        self.hooks.as_ref()?.ending(text, again, cancel).await
    }

    async fn compacting(
        &self,
        instructions: Option<&str>,
        cancel: &CancelFlag,
    ) -> Result<Option<String>, String> {
        match &self.hooks {
            Some(hooks) => hooks.compacting(instructions, cancel).await,
            None => Ok(instructions.map(str::to_owned)),
        }
    }

    async fn compacted(&self, view: &View, cancel: &CancelFlag) {
        if let Some(hooks) = &self.hooks {
            hooks.compacted(view, cancel).await;
        }
    }

    fn context(&self) -> Option<Message> {
        self.hooks.as_ref()?.context()
    }

    fn take_stop(&self) -> Option<String> {
        self.hooks.as_ref()?.take_stop()
    }

    fn report(&self) -> HookReport {
        self.hooks.as_ref().map(|hooks| hooks.report()).unwrap_or_default()
    }
}

/// The note, marked so that it is not taken for the user's words.
fn note(is_agent: bool) -> String {
    let text = match is_agent {
        true => include_str!("files/plan_mode_agent.md"),
        false => include_str!("files/plan_mode.md"),
    };
    mode_note("plan", text)
}

/// Memos that the model cannot change in plan mode.
#[derive(Debug)]
pub(crate) struct PlannedMemos {
    pub(crate) memos: Arc<dyn NoteRepository>,
    pub(crate) permissions: Arc<Permissions>,
}

impl PlannedMemos {
    fn check(&self) -> Result<(), NoteError> {
        match self.permissions.mode() {
            Mode::Plan => {
                Err(NoteError::Full("the session is in plan mode, in which nothing is changed".to_owned()))
            }
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl NoteRepository for PlannedMemos {
    async fn save(&self, draft: &MemoDraft) -> Result<Saved, NoteError> {
        self.check()?;
        self.memos.save(draft).await
    }

    async fn update(&self, id: &MemoId, draft: &MemoDraft) -> Result<Memo, NoteError> {
        self.check()?;
        self.memos.update(id, draft).await
    }

    async fn list(&self, filter: &MemoFilter) -> Result<Vec<Memo>, NoteError> {
        self.memos.list(filter).await
    }

    async fn remove(&self, removal: &Removal) -> Result<Vec<MemoId>, NoteError> {
        self.check()?;
        self.memos.remove(removal).await
    }
}

#[cfg(test)]
mod tests;
