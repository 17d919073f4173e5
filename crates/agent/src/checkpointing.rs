//! Checkpoints and handoffs: how far the session has come, put into the log.

use std::sync::Arc;

use serde_json::Value;
use throughline_continuity::CheckpointPolicy;
use throughline_conversation::{
    CheckpointReason, CheckpointRecord, DocumentName, Millis, RecordBody, Usage, View,
};
use throughline_documents::{
    ChecklistItem, GitProbe, Handoff, HandoffInput, State, handoff, recovery_text, resume_text,
};
use throughline_ledger::Ledger;

use crate::engine::{Engine, Wire};
use crate::error::TurnError;

/// What a checkpoint tells besides messages and documents. Who runs a long task sets it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Role {
    /// The role in which the model works; empty: none.
    pub hat: String,
    /// The steps of the task. Empty: those of the scratchpad's plan.
    pub checklist: Vec<ChecklistItem>,
    /// How far the task has come, in the form of who runs it.
    pub task: Option<Value>,
}

/// When checkpoints are made, and what a handoff in them needs to know.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    /// When one is due.
    pub policy: CheckpointPolicy,
    /// What the session is about.
    pub title: String,
    /// The working tree; `None`: it is not looked at.
    pub git: Option<Arc<dyn GitProbe>>,
    /// Whether each has a handoff.
    pub handoff: bool,
}

/// What the next checkpoint will tell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress {
    pub(crate) role: Role,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    /// Request of the newest checkpoint.
    pub(crate) last: u64,
    /// Whether the view was compacted since then.
    pub(crate) compacted: bool,
    /// How the last turn failed, when it did.
    pub(crate) failure: Option<Failure>,
}

/// How a turn failed.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) error: String,
    pub(crate) at: Millis,
    pub(crate) hint: Option<String>,
}

impl Progress {
    /// Goes on from a checkpoint.
    pub(crate) fn of(found: Option<&CheckpointRecord>) -> Self {
        let Some(found) = found else { return Self::default() };
        let failure = found.last_error.clone().map(|error| Failure {
            error,
            at: found.failed_at.unwrap_or_default(),
            hint: found.recovery_hint.clone(),
        });
        Self {
            role: Role { hat: found.hat.clone(), checklist: Vec::new(), task: found.task.clone() },
            input_tokens: found.input_tokens,
            output_tokens: found.output_tokens,
            last: found.iteration,
            compacted: false,
            failure,
        }
    }

    pub(crate) fn add(&mut self, usage: Option<&Usage>) {
        let Some(usage) = usage else { return };
        self.input_tokens = self.input_tokens.saturating_add(usage.prompt());
        self.output_tokens = self.output_tokens.saturating_add(usage.output);
    }
}

/// Where a session stands by its view, whether an agent works on it or not. `title` may be empty: then it is the goal of
/// STATE, or else the first request of the user in view. A working tree that cannot be looked at leaves its fields empty.
pub async fn handoff_of(
    view: &View,
    title: &str,
    role: &Role,
    git: Option<&dyn GitProbe>,
    at: Millis,
) -> Handoff {
    let git = match git {
        Some(git) => git.status().await.inspect_err(|error| tracing::debug!(%error, "no git status")).ok(),
        None => None,
    };
    let ledger = Ledger::of(view.entries());
    let documents = view.documents();
    let state = State::parse(documents.text(DocumentName::State));
    let first = match (title.is_empty(), &state) {
        (true, None) => ledger.requests.first().cloned(),
        _ => None,
    };
    let title = first.as_deref().unwrap_or(title);
    handoff(&HandoffInput {
        title,
        hat: &role.hat,
        git: git.as_ref(),
        checklist: &role.checklist,
        scratchpad: documents.text(DocumentName::Scratchpad),
        state: state.as_ref(),
        ledger: Some(&ledger),
        at,
    })
}

impl Engine {
    /// What the first requests after a resume are told: where the session stands now, and how it failed. It is made of
    /// what is in view: a handoff that was kept may tell of what was taken back since.
    pub(crate) async fn resume_note(&self, found: Option<&CheckpointRecord>) -> Option<String> {
        let (found, checkpoints) = (found?, self.parts.keeping.checkpoints.as_ref()?);
        let recovery = recovery_text(found);
        if !checkpoints.handoff {
            return recovery;
        }
        let now = self.handoff().await;
        let nothing = now.completed_items.is_empty() && now.remaining_items.is_empty();
        if nothing && recovery.is_none() && self.view.documents().all().next().is_none() {
            // The messages themselves say as much.
            return None;
        }
        Some(resume_text(&now, recovery.as_deref()).trim_end().to_owned())
    }

    /// Makes a checkpoint when one is due. The log is written with the next flush.
    pub(crate) async fn checkpoint_when_due(&mut self, ending: bool) {
        let Some(checkpoints) = &self.parts.keeping.checkpoints else { return };
        let Progress { last, compacted, .. } = self.progress;
        if let Some(reason) = checkpoints.policy.due(self.request, last, compacted, ending) {
            self.checkpoint(reason).await;
        }
    }

    pub(crate) async fn checkpoint(&mut self, reason: CheckpointReason) {
        let handoff = match &self.parts.keeping.checkpoints {
            Some(Checkpoints { handoff: true, .. }) => {
                let handoff = self.handoff().await;
                serde_json::to_value(handoff).ok()
            }
            _ => None,
        };
        let documents = self.view.documents();
        let failure = self.progress.failure.as_ref();
        let record = CheckpointRecord {
            reason,
            iteration: self.request,
            input_tokens: self.progress.input_tokens,
            output_tokens: self.progress.output_tokens,
            hat: self.progress.role.hat.clone(),
            messages: self.view.last(),
            scratchpad: documents.revision(DocumentName::Scratchpad),
            state: documents.revision(DocumentName::State),
            last_error: failure.map(|failure| failure.error.clone()),
            failed_at: failure.map(|failure| failure.at),
            recovery_hint: failure.and_then(|failure| failure.hint.clone()),
            handoff,
            task: self.progress.role.task.clone(),
        };
        self.progress.last = self.request;
        self.progress.compacted = false;
        self.journal.add(self.exchange, RecordBody::Checkpoint(Box::new(record)));
    }

    /// Where the session stands.
    pub(crate) async fn handoff(&self) -> Handoff {
        let checkpoints = self.parts.keeping.checkpoints.as_ref();
        let title = checkpoints.map_or("", |checkpoints| checkpoints.title.as_str());
        let git = checkpoints.and_then(|checkpoints| checkpoints.git.as_deref());
        handoff_of(&self.view, title, &self.progress.role, git, self.parts.clock.now()).await
    }

    /// Takes down how a turn ended.
    pub(crate) async fn note_end(&mut self, wire: &Wire<'_>, failed: Option<&TurnError>) {
        let Some(error) = failed else {
            self.progress.failure = None;
            return;
        };
        let hint = error.hint().map(str::to_owned);
        let (error, at) = (throughline_text::error_chain(error), self.parts.clock.now());
        self.progress.failure = Some(Failure { error, at, hint });
        if self.parts.keeping.checkpoints.is_some() {
            self.checkpoint(CheckpointReason::Failure).await;
            self.flush(wire).await;
        }
    }
}
