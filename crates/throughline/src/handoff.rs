//! The handoff of a stored session.

use throughline_agent::{Phase, handoff_of};
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::{RecordBody, View, project};
use throughline_documents::{ChecklistItem, GitProbe, Handoff};
use throughline_git::GitCli;
use throughline_task::Progress;

use crate::error::{Attempt as _, Result};
use crate::handle::{SessionHandle, SessionLog};
use crate::session_id::now;

impl SessionHandle {
    /// The current handoff: from the documents, the checklist of the newest checkpoint's task, the tool calls, and the working
    /// tree of the session's folder.
    ///
    /// # Errors
    /// The log or the list of sessions cannot be read.
    pub async fn handoff(&self) -> Result<Handoff> {
        let log = self.log().await?;
        let info = self.storage.store.sessions().get(&self.session).await?;
        let checkpoint = log.checkpoints().pop();
        let task = checkpoint.as_ref().and_then(|found| progress(found.checkpoint.task.clone()?));
        let phase = Phase {
            hat: checkpoint.map(|found| found.checkpoint.hat.clone()).unwrap_or_default(),
            checklist: task.as_ref().map(checklist).unwrap_or_default(),
            task: None,
        };
        // A session's title is its first message, which may be long done.
        let title = task.as_ref().map_or("", |task| task.title.as_str());
        let folder = info.as_ref().map(|info| &info.workspace).filter(|folder| !folder.is_empty());
        let git = folder.map(GitCli::new);
        let git = git.as_ref().map(|git| git as &dyn GitProbe);
        Ok(handoff_of(&self.uncompacted(&log)?, title, &phase, git, now()).await)
    }

    /// The session without its compactions: results that are cleared from the view still tell how a command ended.
    fn uncompacted(&self, log: &SessionLog) -> Result<View> {
        let records = log.records.iter().filter(|record| !matches!(record.body, RecordBody::Edit(_)));
        project(records, self.counter.as_ref())
            .attempt(|| format!("the log of session {} is damaged", self.session))
    }
}

fn progress(task: serde_json::Value) -> Option<Progress> {
    serde_json::from_value(task).ok()
}

/// The checklist of a long task, done steps first.
#[must_use]
pub fn checklist(progress: &Progress) -> Vec<ChecklistItem> {
    let done = progress.completed().map(|text| ChecklistItem::new(text, "completed"));
    done.chain(progress.remaining().map(|text| ChecklistItem::new(text, "pending"))).collect()
}
