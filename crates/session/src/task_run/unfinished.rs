//! A session that has worked on a task and was cut off.

use std::path::Path;

use throughline_continuity::title_of;
use throughline_conversation::{RecordBody, SessionId};
use throughline_stored::{FolderScope, Result, Storage};
use throughline_task::Progress;

/// The newest session of a folder with the title of a task, if the task is not finished in it and no process works on it.
///
/// # Errors
/// The storage failed.
pub async fn unfinished_task(storage: &Storage, folder: &Path, title: &str) -> Result<Option<SessionId>> {
    let (folder, shown) = (folder.display().to_string(), title_of(title));
    let of_task = storage.names_in(&FolderScope::default()).await?.into_iter().find(|session| {
        session.parent.is_none() && session.info.workspace == folder && session.info.title == shown
    });
    let Some(session) = of_task.map(|session| session.info.id) else { return Ok(None) };
    let newest = storage.newest_record(&session, "checkpoint").await?;
    let task = newest.and_then(|record| match record.body {
        RecordBody::Checkpoint(checkpoint) => checkpoint.task,
        _ => None,
    });
    let progress = task.and_then(|task| serde_json::from_value::<Progress>(task).ok());
    if !progress.is_some_and(|progress| progress.title == title && progress.finished.is_none()) {
        return Ok(None);
    }
    let Ok(lock) = storage.lock(&session).await else { return Ok(None) };
    lock.give_back().await;
    Ok(Some(session))
}
