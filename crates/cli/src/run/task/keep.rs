//! Keeping a task's progress in its session: as part of a checkpoint, a record of the log.

use throughline_agent::Agent;
use throughline_conversation::{CheckpointReason, CheckpointRecord, DocumentName};
use throughline_task::{Progress, TaskFile};

use crate::compose::now;
use crate::run::report::Report;
use crate::terminal::note;

/// The progress that a checkpoint holds. `None`: it holds none, or that of another task.
pub(super) fn load_progress(kept: Option<&CheckpointRecord>, file: &TaskFile) -> Option<Progress> {
    let value = kept?.task.clone()?;
    match serde_json::from_value::<Progress>(value) {
        Ok(progress) if progress.title == file.title => Some(progress),
        Ok(other) => {
            note(&format!("the session has worked on the task {:?}; this one begins anew", other.title));
            None
        }
        Err(error) => {
            note(&format!("the progress that was kept cannot be read, so the task begins anew: {error}"));
            None
        }
    }
}

/// Writes checkpoints. It knows what runs before this one have used.
#[derive(Debug)]
pub(super) struct Keeper {
    input_tokens: u64,
    output_tokens: u64,
}

impl Keeper {
    pub(super) fn new(kept: Option<&CheckpointRecord>) -> Self {
        let (input_tokens, output_tokens) =
            kept.map_or((0, 0), |checkpoint| (checkpoint.input_tokens, checkpoint.output_tokens));
        Self { input_tokens, output_tokens }
    }

    /// Puts the progress into the log. A log that cannot be written is told by the agent's own events.
    pub(super) async fn save_progress(
        &self,
        agent: &mut Agent,
        progress: &Progress,
        reason: CheckpointReason,
        error: Option<&str>,
        report: &Report,
    ) {
        let usage = report.tally().usage;
        let sent = usage.input.saturating_add(usage.cache_read).saturating_add(usage.cache_write);
        let view = agent.view();
        let checkpoint = CheckpointRecord {
            reason,
            iteration: agent.requests(),
            input_tokens: self.input_tokens.saturating_add(sent),
            output_tokens: self.output_tokens.saturating_add(usage.output),
            hat: progress.hat.clone(),
            messages: view.last(),
            scratchpad: view.documents().revision(DocumentName::Scratchpad),
            state: view.documents().revision(DocumentName::State),
            last_error: error.map(str::to_owned),
            failed_at: error.map(|_| now()),
            recovery_hint: None,
            handoff: None,
            task: serde_json::to_value(progress).ok(),
        };
        agent.checkpoint(checkpoint, report).await;
    }
}
