//! Stores a task's progress in its session, as part of checkpoints.

use throughline_agent::{Agent, Phase};
use throughline_conversation::{CheckpointReason, CheckpointRecord};
use throughline_stored::checklist;
use throughline_task::{Progress, TaskFile};

use super::TaskObserver;

/// The progress that a checkpoint holds; `None` if it has none, or that of another task.
pub(super) fn load_progress(
    checkpoint: Option<&CheckpointRecord>,
    file: &TaskFile,
    observer: &dyn TaskObserver,
) -> Option<Progress> {
    let value = checkpoint?.task.clone()?;
    match serde_json::from_value::<Progress>(value) {
        Ok(progress) if progress.title == file.title => Some(progress),
        Ok(other) => {
            observer.notice(&format!(
                "the session worked on another task, {:?}; this one starts from the beginning",
                other.title
            ));
            None
        }
        Err(error) => {
            observer.notice(&format!(
                "the stored progress cannot be read, so the task starts from the beginning: {error}"
            ));
            None
        }
    }
}

/// Writes the progress into the log. The agent's events report a log that cannot be written.
pub(super) async fn save_progress(
    agent: &mut Agent,
    progress: &Progress,
    reason: CheckpointReason,
    observer: &dyn TaskObserver,
) {
    agent.set_phase(Phase {
        hat: progress.hat.clone(),
        checklist: checklist(progress),
        task: serde_json::to_value(progress).ok(),
    });
    agent.checkpoint(reason, observer.sink()).await;
}
