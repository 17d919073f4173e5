//! The handoff of a stored session.

use throughline_agent::{Phase, handoff_of};
use throughline_compaction::parse_stub;
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::{ContentBlock, MessageRecord, RecordBody, View, project};
use throughline_documents::{ChecklistItem, GitProbe, Handoff};
use throughline_git::GitCli;
use throughline_task::Progress;
use throughline_text::cut_start;

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
        Ok(handoff_of(&self.whole(&log).await?, title, &phase, git, now()).await)
    }

    /// The session without its compactions and with its stored results: both hide how commands ended.
    async fn whole(&self, log: &SessionLog) -> Result<View> {
        let mut records = Vec::with_capacity(log.records.len());
        for record in log.records.iter().filter(|record| !matches!(record.body, RecordBody::Edit(_))) {
            let mut record = record.clone();
            if let RecordBody::Message(MessageRecord { message, .. }) = &mut record.body {
                for block in &mut message.content {
                    if let ContentBlock::ToolResult(result) = block {
                        self.show_stored(&mut result.content).await;
                    }
                }
            }
            records.push(record);
        }
        project(&records, self.counter.as_ref())
            .attempt(|| format!("the log of session {} is damaged", self.session))
    }

    /// Replaces the preview of a stored result by the end of the result. If it cannot be read, the preview stays.
    async fn show_stored(&self, content: &mut String) {
        /// Bytes that are shown: enough for how a command ended, and for its last errors.
        const END: usize = 20_000;

        let Some(stub) = parse_stub(content) else { return };
        if let Ok(Some(result)) = self.storage.results().get(&self.session, &stub.stored).await {
            cut_start(&String::from_utf8_lossy(&result.content), END).clone_into(content);
        }
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
