//! Checkpoints and handoffs: the progress of the session, recorded in its log.

use throughline_compaction::words_of_summary;
use throughline_conversation::{
    CheckpointReason, CheckpointRecord, DocumentName, Documents, Entry, EntryKind, Millis, RecordBody,
};
use throughline_documents::{
    GitError, GitProbe, GitStatus, Handoff, HandoffInput, ResumeFor, State, handoff, recovery_text,
    resume_text,
};
use throughline_ledger::{Ledger, RequestNotes};
use throughline_text::error_chain;

use crate::continuity_ports::{Checkpoints, ContinuityPorts};
use crate::error::TurnError;
use crate::progress::{Failure, Phase, Progress};
use crate::session::Session;
use crate::turn_context::TurnContext;

/// What was done in a session and what was asked for, with its documents.
#[derive(Debug, Clone, Copy)]
pub struct SessionWork<'a> {
    /// Files, commands and errors.
    pub ledger: &'a Ledger,
    /// The user's requests, and the answer to the last one.
    pub requests: &'a RequestNotes,
    /// STATE and the scratchpad.
    pub documents: &'a Documents,
}

/// Where a session stands, by what was done and asked for in it and its documents. If `title` is empty, the goal of STATE
/// replaces it, or else the user's last request. If the working tree is not known, its fields stay empty.
pub fn handoff_of(
    work: SessionWork<'_>,
    title: &str,
    phase: &Phase,
    git: Option<Result<GitStatus, GitError>>,
    at: Millis,
) -> Handoff {
    let git = git.and_then(|git| git.inspect_err(|error| tracing::debug!(%error, "no git status")).ok());
    let SessionWork { ledger, requests, documents } = work;
    let state = State::parse(documents.text(DocumentName::State));
    handoff(&HandoffInput {
        title,
        hat: &phase.hat,
        git: git.as_ref(),
        checklist: &phase.checklist,
        scratchpad: documents.text(DocumentName::Scratchpad),
        state: state.as_ref(),
        ledger: Some(ledger),
        requests: Some(requests),
        at,
    })
}

/// The notes about a resumed session.
#[derive(Debug)]
pub(crate) struct ResumeNote {
    /// For the turn that was interrupted.
    pub(crate) same_work: String,
    /// For a new message of the user.
    pub(crate) new_request: String,
}

impl ContinuityPorts {
    /// The notes for the first requests after a resume: where the session stands now, and how it failed. They are made of the
    /// current view, because a stored handoff may mention work that was undone since.
    pub(crate) async fn resume_note(
        &self,
        session: &Session,
        found: Option<&CheckpointRecord>,
    ) -> Option<ResumeNote> {
        let (found, checkpoints) = (found?, self.checkpoints.as_ref()?);
        let recovery = recovery_text(found);
        if !checkpoints.handoff {
            return recovery.map(|text| ResumeNote { same_work: text.clone(), new_request: text });
        }
        let now = self.handoff(session).await;
        let nothing = now.completed_items.is_empty() && now.remaining_items.is_empty();
        if nothing && recovery.is_none() && session.view().documents().all().next().is_none() {
            // The handoff would only repeat the messages.
            return None;
        }
        let text = |work| resume_text(&now, recovery.as_deref(), work).trim_end().to_owned();
        let same_work = text(ResumeFor::SameWork);
        // The requests of a task are made by the program, and all ask for the same work.
        let is_task = !checkpoints.title.is_empty();
        let new_request = if is_task { same_work.clone() } else { text(ResumeFor::NewRequest) };
        Some(ResumeNote { same_work, new_request })
    }

    /// Appends a checkpoint if one is due. The next flush writes it.
    pub(crate) async fn checkpoint_when_due(&self, session: &mut Session, ending: bool) {
        let Some(checkpoints) = &self.checkpoints else { return };
        let Progress { last, compacted, .. } = *session.progress();
        if let Some(reason) = checkpoints.policy.due(session.requests(), last, compacted, ending) {
            let record = self.checkpoint_record(session, reason).await;
            let repeats = session.progress().latest.as_deref().is_some_and(|last| repeats(&record, last));
            if reason != CheckpointReason::Exit || !repeats {
                append(session, record);
            }
        }
    }

    pub(crate) async fn checkpoint(&self, session: &mut Session, reason: CheckpointReason) {
        let record = self.checkpoint_record(session, reason).await;
        append(session, record);
    }

    async fn checkpoint_record(&self, session: &Session, reason: CheckpointReason) -> CheckpointRecord {
        let handoff = match &self.checkpoints {
            Some(Checkpoints { handoff: true, .. }) => {
                let made = match has_worked(session) {
                    true => self.handoff(session).await,
                    false => self.handoff_without_files(session).await,
                };
                serde_json::to_value(made).ok()
            }
            _ => None,
        };
        let documents = session.view().documents();
        let failure = session.progress().failure.as_ref();
        CheckpointRecord {
            reason,
            iteration: session.requests(),
            input_tokens: session.progress().input_tokens,
            output_tokens: session.progress().output_tokens,
            hat: session.progress().phase.hat.clone(),
            messages: session.view().last(),
            scratchpad: documents.revision(DocumentName::Scratchpad),
            state: documents.revision(DocumentName::State),
            last_error: failure.map(|failure| failure.error.clone()),
            failed_at: failure.map(|failure| failure.at),
            recovery_hint: failure.and_then(|failure| failure.hint.clone()),
            handoff,
            task: session.progress().phase.task.clone(),
        }
    }

    /// Where the session stands.
    pub(crate) async fn handoff(&self, session: &Session) -> Handoff {
        let git = match self.git() {
            Some(git) => Some(git.status().await),
            None => None,
        };
        self.handoff_in(session, git)
    }

    /// The same for a session that has changed no file: of the working tree it has the branch and the commit. Looking at each
    /// file of a large tree costs more than such a session.
    async fn handoff_without_files(&self, session: &Session) -> Handoff {
        let git = match self.git() {
            Some(git) => Some(git.head().await),
            None => None,
        };
        self.handoff_in(session, git)
    }

    fn git(&self) -> Option<&dyn GitProbe> {
        self.checkpoints.as_ref().and_then(|checkpoints| checkpoints.git.as_deref())
    }

    fn handoff_in(&self, session: &Session, git: Option<Result<GitStatus, GitError>>) -> Handoff {
        let title = self.checkpoints.as_ref().map_or("", |checkpoints| checkpoints.title.as_str());
        let (entries, documents) = (session.view().entries(), session.view().documents());
        let (ledger, requests) = (Ledger::of(entries), requests_of(entries));
        let work = SessionWork { ledger: &ledger, requests: &requests, documents };
        handoff_of(work, title, &session.progress().phase, git, session.now())
    }

    /// Records how a turn ended: a failed one with a checkpoint.
    pub(crate) async fn record_end(
        &self,
        session: &mut Session,
        turn: &TurnContext<'_>,
        failed: Option<&TurnError>,
    ) {
        let Some(error) = failed else {
            session.progress_mut().failure = None;
            return;
        };
        let hint = error.hint().map(str::to_owned);
        session.progress_mut().failure = Some(Failure { error: error_chain(error), at: session.now(), hint });
        if self.checkpoints.is_some() {
            self.checkpoint(session, CheckpointReason::Failure).await;
            session.flush(turn).await;
        }
    }
}

/// The user's requests among entries. Those that a summary has replaced are read from its quotes.
fn requests_of(entries: &[Entry]) -> RequestNotes {
    let mut notes = RequestNotes::default();
    for entry in entries {
        match entry.kind {
            EntryKind::Summary => {
                entry.own_texts().flat_map(words_of_summary).for_each(|text| notes.request(&text));
            }
            _ => notes.take(std::slice::from_ref(entry)),
        }
    }
    notes
}

/// Returns true if the session may have changed files: tools were called in it, or what was done is out of view.
fn has_worked(session: &Session) -> bool {
    let view = session.view();
    let has_calls = || view.entries().iter().any(|entry| entry.message.tool_calls().next().is_some());
    view.epoch() > 0 || has_calls()
}

fn append(session: &mut Session, record: CheckpointRecord) {
    let record = Box::new(record);
    let last = session.requests();
    session.progress_mut().note(last, record.clone());
    session.record(RecordBody::Checkpoint(record));
}

/// Returns true if a checkpoint adds nothing to the previous one but its time and its counts.
fn repeats(new: &CheckpointRecord, last: &CheckpointRecord) -> bool {
    let handoff = |record: &CheckpointRecord| {
        let mut handoff: Option<Handoff> =
            record.handoff.clone().and_then(|value| serde_json::from_value(value).ok());
        if let Some(handoff) = &mut handoff {
            handoff.generated_at.clear();
        }
        handoff
    };
    let documents = |record: &CheckpointRecord| (record.scratchpad, record.state);
    new.hat == last.hat
        && new.task == last.task
        && new.last_error == last.last_error
        && documents(new) == documents(last)
        && handoff(new) == handoff(last)
}
