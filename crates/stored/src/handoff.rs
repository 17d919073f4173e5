//! The handoff of a stored session.

use throughline_agent::{Phase, SessionWork, StartError, handoff_of};
use throughline_compaction::parse_stub;
use throughline_continuity::{Pages, Part, Resumed, SessionDirectory as _, merged, resume};
use throughline_conversation::{
    ContentBlock, Entry, Groups, MessageRecord, Record, RecordBody, Seq, Source, Uncounted, project_readable,
};
use throughline_documents::{ChecklistItem, GitProbe as _, Handoff};
use throughline_git::GitCli;
use throughline_groups::{UserAnswers, user_request};
use throughline_ledger::{Ledger, RequestNotes};
use throughline_resultstore::StoreError;
use throughline_store::EncryptionError;
use throughline_task::Progress;
use throughline_text::cut_start;

use crate::error::{Attempt as _, Result};
use crate::handle::SessionHandle;
use crate::session_context::unwrapped;
use crate::session_id::now;

impl SessionHandle {
    /// The current handoff: from the documents, the checklist of the newest checkpoint's task, the tool calls, and the working
    /// tree of the session's folder.
    ///
    /// # Errors
    /// The log or the list of sessions cannot be read, or a stored result is encrypted and the key is missing.
    pub async fn handoff(&self) -> Result<Handoff> {
        let (log, snapshots) = (self.storage.log(), self.storage.snapshots());
        let open = resume(log.as_ref(), snapshots.as_ref(), &self.session, &Uncounted).await;
        let Resumed { view, checkpoint, .. } = open.map_err(StartError::from)?;
        let info = self.storage.store.sessions().get(&self.session).await?;
        let task = checkpoint.as_ref().and_then(|checkpoint| progress(checkpoint.task.clone()?));
        let phase = Phase {
            hat: checkpoint.map(|checkpoint| checkpoint.hat).unwrap_or_default(),
            checklist: task.as_ref().map(checklist).unwrap_or_default(),
            task: None,
        };
        // A session's title is its first message, which may be long done.
        let title = task.as_ref().map_or("", |task| task.title.as_str());
        let folder = info.as_ref().map(|info| &info.workspace).filter(|folder| !folder.is_empty());
        let git = match folder {
            Some(folder) => Some(GitCli::new(folder).status().await),
            None => None,
        };
        let ledger = self.ledger(view.groups(), Seq(u64::MAX)).await?;
        let requests = self.requests(view.groups()).await?;
        let work = SessionWork { ledger: &ledger, requests: &requests, documents: view.documents() };
        Ok(handoff_of(work, title, &phase, git, now()))
    }

    /// The user's requests that are not hidden, and the answer to the last one. An answer without a receipt broke off, where
    /// the session has receipts at all: one of another agent has none.
    async fn requests(&self, groups: &Groups) -> Result<RequestNotes> {
        let (mut notes, mut has_receipts, mut is_complete) = (RequestNotes::default(), false, false);
        let mut answers = UserAnswers::default();
        let log = self.storage.log();
        let mut pages = Pages::new(log.as_ref(), &self.session, Part::All);
        while let Some(page) = pages.next().await? {
            for record in page.records.iter().filter(|record| !groups.status(record.exchange).is_hidden()) {
                match &record.body {
                    RecordBody::Receipt(_) => (has_receipts, is_complete) = (true, true),
                    RecordBody::Message(MessageRecord { message, source, .. }) => {
                        is_complete = false;
                        let said = answers.said_in(message);
                        match source {
                            Source::User => {
                                // It may be a picture alone.
                                notes.reopen();
                                notes.request(&user_request(message).unwrap_or_default());
                            }
                            Source::Model(_) => notes.answered(message),
                            Source::Tools | Source::Engine => notes.reopen(),
                        }
                        said.iter().for_each(|text| notes.said(text));
                    }
                    _ => {}
                }
            }
        }
        if has_receipts && !is_complete {
            notes.reopen();
        }
        Ok(notes)
    }

    /// What was done in the session up to a record, read group by group: without its compactions and with its stored results, because both
    /// hide how commands ended.
    pub(crate) async fn ledger(&self, groups: &Groups, until: Seq) -> Result<Ledger> {
        let (mut ledger, mut group) = (Ledger::default(), Vec::new());
        let log = self.storage.log();
        let mut pages = Pages::new(log.as_ref(), &self.session, Part::All);
        let mut lost = Vec::new();
        while let Some(page) = pages.next().await? {
            lost.extend(page.unreadable);
            for mut record in page.records {
                let RecordBody::Message(MessageRecord { message, source, .. }) = &mut record.body else {
                    continue;
                };
                // A program that tells its model to continue asks for nothing.
                let is_note = *source == Source::Engine && message.tool_results().next().is_none();
                if is_note || record.seq > until || groups.status(record.exchange).is_hidden() {
                    continue;
                }
                for block in &mut message.content {
                    if let ContentBlock::ToolResult(result) = block {
                        self.show_stored(&mut result.content).await?;
                    }
                }
                if group.last().is_some_and(|last: &Record| last.exchange != record.exchange) {
                    take_group(&mut ledger, &std::mem::take(&mut group));
                }
                group.push(record);
            }
        }
        self.storage.note_lost(&merged(lost));
        take_group(&mut ledger, &group);
        Ok(ledger)
    }

    /// Replaces the preview of a stored result by the end of the result. If it cannot be read, the preview stays.
    ///
    /// # Errors
    /// It is encrypted, and the key is missing.
    async fn show_stored(&self, content: &mut String) -> Result<()> {
        /// Bytes that are shown: enough for how a command ended, and for its last errors.
        const END: usize = 20_000;

        let Some(stub) = parse_stub(content) else { return Ok(()) };
        match self.storage.results().get(&self.session, &stub.stored).await {
            Ok(Some(result)) => cut_start(&String::from_utf8_lossy(&result.content), END).clone_into(content),
            Err(StoreError::Other(source)) if source.is::<EncryptionError>() => {
                return Err(source).attempt(|| format!("could not read stored result {}", stub.stored));
            }
            Ok(None) | Err(_) => {}
        }
        Ok(())
    }
}

/// Takes the records of a group: names in what an agent adds to messages are none of the work.
fn take_group(ledger: &mut Ledger, group: &[Record]) {
    let (view, _) = project_readable(group, &Uncounted);
    let entries: Vec<Entry> = view.entries().iter().map(unwrapped).collect();
    ledger.take(&entries);
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
