//! Keeping a task's progress in its session: as part of a checkpoint, a record of the log.

use throughline_agent::{Agent, Phase};
use throughline_conversation::{CheckpointReason, CheckpointRecord};
use throughline_task::{Progress, TaskFile};

use crate::handoff::checklist;
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

/// Puts the progress into the log. A log that cannot be written is told by the agent's own events.
pub(super) async fn save_progress(
    agent: &mut Agent,
    progress: &Progress,
    reason: CheckpointReason,
    report: &Report,
) {
    agent.set_phase(Phase {
        hat: progress.hat.clone(),
        checklist: checklist(progress),
        task: serde_json::to_value(progress).ok(),
    });
    agent.checkpoint(reason, report).await;
}
