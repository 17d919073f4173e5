//! Checkpoints and handoffs: the progress of the session, recorded in its log.

use throughline_conversation::{
    CheckpointReason, CheckpointRecord, DocumentName, Documents, Millis, RecordBody,
};
use throughline_documents::{GitProbe, Handoff, HandoffInput, State, handoff, recovery_text, resume_text};
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
/// replaces it, or else the user's last request. If the working tree cannot be read, its fields stay empty.
pub async fn handoff_of(
    work: SessionWork<'_>,
    title: &str,
    phase: &Phase,
    git: Option<&dyn GitProbe>,
    at: Millis,
) -> Handoff {
    let git = match git {
        Some(git) => git.status().await.inspect_err(|error| tracing::debug!(%error, "no git status")).ok(),
        None => None,
    };
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

impl ContinuityPorts {
    /// The note for the first requests after a resume: where the session stands now, and how it failed. It is made of the
    /// current view, because a stored handoff may mention work that was undone since.
    pub(crate) async fn resume_note(
        &self,
        session: &Session,
        found: Option<&CheckpointRecord>,
    ) -> Option<String> {
        let (found, checkpoints) = (found?, self.checkpoints.as_ref()?);
        let recovery = recovery_text(found);
        if !checkpoints.handoff {
            return recovery;
        }
        let now = self.handoff(session).await;
        let nothing = now.completed_items.is_empty() && now.remaining_items.is_empty();
        if nothing && recovery.is_none() && session.view.documents().all().next().is_none() {
            // The handoff would only repeat the messages.
            return None;
        }
        Some(resume_text(&now, recovery.as_deref()).trim_end().to_owned())
    }

    /// Appends a checkpoint if one is due. The next flush writes it.
    pub(crate) async fn checkpoint_when_due(&self, session: &mut Session, ending: bool) {
        let Some(checkpoints) = &self.checkpoints else { return };
        let Progress { last, compacted, .. } = session.progress;
        if let Some(reason) = checkpoints.policy.due(session.request, last, compacted, ending) {
            let record = self.checkpoint_record(session, reason).await;
            let repeats = session.progress.latest.as_deref().is_some_and(|last| repeats(&record, last));
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
            Some(Checkpoints { handoff: true, .. }) => serde_json::to_value(self.handoff(session).await).ok(),
            _ => None,
        };
        let documents = session.view.documents();
        let failure = session.progress.failure.as_ref();
        CheckpointRecord {
            reason,
            iteration: session.request,
            input_tokens: session.progress.input_tokens,
            output_tokens: session.progress.output_tokens,
            hat: session.progress.phase.hat.clone(),
            messages: session.view.last(),
            scratchpad: documents.revision(DocumentName::Scratchpad),
            state: documents.revision(DocumentName::State),
            last_error: failure.map(|failure| failure.error.clone()),
            failed_at: failure.map(|failure| failure.at),
            recovery_hint: failure.and_then(|failure| failure.hint.clone()),
            handoff,
            task: session.progress.phase.task.clone(),
        }
    }

    /// Where the session stands.
    pub(crate) async fn handoff(&self, session: &Session) -> Handoff {
        let checkpoints = self.checkpoints.as_ref();
        let title = checkpoints.map_or("", |checkpoints| checkpoints.title.as_str());
        let git = checkpoints.and_then(|checkpoints| checkpoints.git.as_deref());
        let (entries, documents) = (session.view.entries(), session.view.documents());
        let (ledger, requests) = (Ledger::of(entries), RequestNotes::of(entries));
        let work = SessionWork { ledger: &ledger, requests: &requests, documents };
        handoff_of(work, title, &session.progress.phase, git, session.clock.now()).await
    }

    /// Records how a turn ended: a failed one with a checkpoint.
    pub(crate) async fn record_end(
        &self,
        session: &mut Session,
        turn: &TurnContext<'_>,
        failed: Option<&TurnError>,
    ) {
        let Some(error) = failed else {
            session.progress.failure = None;
            return;
        };
        let hint = error.hint().map(str::to_owned);
        session.progress.failure = Some(Failure { error: error_chain(error), at: session.clock.now(), hint });
        if self.checkpoints.is_some() {
            self.checkpoint(session, CheckpointReason::Failure).await;
            session.flush(turn).await;
        }
    }
}

fn append(session: &mut Session, record: CheckpointRecord) {
    let record = Box::new(record);
    session.progress.last = session.request;
    session.progress.compacted = false;
    session.progress.latest = Some(record.clone());
    session.journal.add(session.exchange, RecordBody::Checkpoint(record));
}

/// Returns true if a checkpoint adds nothing to the previous one but its time, its counts and a newer request of the user.
fn repeats(new: &CheckpointRecord, last: &CheckpointRecord) -> bool {
    let handoff = |record: &CheckpointRecord| {
        let mut handoff: Option<Handoff> =
            record.handoff.clone().and_then(|value| serde_json::from_value(value).ok());
        if let Some(handoff) = &mut handoff {
            handoff.generated_at.clear();
            handoff.task_title.clear();
            handoff.continuation_prompt.clear();
            handoff.requests.clear();
            handoff.last_answer = None;
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
