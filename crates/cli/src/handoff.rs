//! `throughline handoff`: notes for continuing a session elsewhere.

mod text;

use clap::Args;
use throughline::{SessionLog, now};
use throughline_agent::{Phase, handoff_of};
use throughline_continuity::SessionDirectory;
use throughline_conversation::{CheckpointRecord, RecordBody, View, project};
use throughline_documents::{ChecklistItem, GitProbe};
use throughline_git::GitCli;
use throughline_task::Progress;

use crate::answer::Answer;
use crate::target::CommandTarget;
use crate::terminal::plain;

pub(crate) use text::lines;

#[derive(Debug, Args)]
pub(crate) struct HandoffArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The current handoff: from the documents, the checklist of the newest checkpoint's task, the tool calls, and the working
/// tree of the session's folder.
pub(crate) async fn handoff(target: &CommandTarget) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let info = target.handle.storage.store.sessions().get(&target.handle.session).await?;
    let checkpoint = newest(&log);
    let task = checkpoint.and_then(|found| serde_json::from_value::<Progress>(found.task.clone()?).ok());
    let role = Phase {
        hat: checkpoint.map(|found| found.hat.clone()).unwrap_or_default(),
        checklist: task.as_ref().map(checklist).unwrap_or_default(),
        task: None,
    };
    // A session's title is its first message, which may be long done.
    let title = task.as_ref().map_or("", |task| task.title.as_str());
    let git =
        info.as_ref().filter(|info| !info.workspace.is_empty()).map(|info| GitCli::new(&info.workspace));
    let git = git.as_ref().map(|git| git as &dyn GitProbe);
    let made = handoff_of(&uncompacted(target, &log)?, title, &role, git, now()).await;
    let text = format!(
        "Handoff of session {}, {}\n\n{}",
        target.handle.session,
        made.generated_at,
        lines(&made).join("\n")
    );
    Ok(Answer { text: plain(&text), json: serde_json::to_value(made)? })
}

/// The session without its compactions: results that are cleared from the view still tell how a command ended.
fn uncompacted(target: &CommandTarget, log: &SessionLog) -> anyhow::Result<View> {
    let records = log.records.iter().filter(|record| !matches!(record.body, RecordBody::Edit(_)));
    Ok(project(records, target.handle.counter.as_ref())?)
}

/// A task's checklist, done steps first.
pub(crate) fn checklist(progress: &Progress) -> Vec<ChecklistItem> {
    let done = progress.completed().map(|text| ChecklistItem::new(text, "completed"));
    done.chain(progress.remaining().map(|text| ChecklistItem::new(text, "pending"))).collect()
}

fn newest(log: &SessionLog) -> Option<&CheckpointRecord> {
    log.records.iter().rev().find_map(|record| match &record.body {
        RecordBody::Checkpoint(found) => Some(found.as_ref()),
        _ => None,
    })
}
