//! `throughline sessions delete`: deletes sessions permanently, with everything that belongs to them.

use throughline::ports::SessionId;
use throughline_stored::{SessionMemos, Storage};
use throughline_terminal::{complain, confirm, line};
use throughline_text::{counted, error_chain, headline};

use crate::data_args::DataArgs;

/// Deletes sessions: records, snapshots, stored results, their messages in the input history, and their lock files. Sessions of other agents are marked as deleted.
///
/// # Errors
/// A name fits no session, a session is open in another process, or the user does not confirm. Then nothing is deleted. Of several
/// sessions those before one that cannot be deleted are.
pub(super) async fn delete(
    names: &[String],
    memos: SessionMemos,
    yes: bool,
    place: &DataArgs,
) -> anyhow::Result<()> {
    let data = Storage::open_to_delete(place.data_dir.clone()).await?;
    let mut sessions: Vec<SessionId> = Vec::new();
    for name in names {
        let session = place.find(&data, name).await?;
        if !sessions.contains(&session) {
            sessions.push(session);
        }
    }
    // Held until all are deleted: no other process may write to them meanwhile.
    let mut locks = Vec::new();
    for session in &sessions {
        locks.push(data.lock(session).await?);
    }
    let mut named = Vec::new();
    for session in &sessions {
        let title = data.session_info(session).await?.map(|info| info.title).unwrap_or_default();
        named.push(format!("session {session} ({:?})", headline(&title, 40)));
    }
    if !yes {
        confirm(&named.join(", "))?;
    }
    let (mut ended, mut is_any_deleted) = (Ok(()), false);
    for ((session, lock), name) in sessions.iter().zip(locks).zip(&named) {
        match data.delete_session(session, lock, memos).await {
            Ok(deleted) => {
                let memos = match memos {
                    SessionMemos::Stay => String::new(),
                    SessionMemos::Delete => format!(", and {}", counted(deleted as u64, "memo")),
                };
                line(&format!("Deleted {name} permanently: all records and stored results{memos}."));
                is_any_deleted = true;
            }
            Err(error) => {
                ended = Err(anyhow::Error::from(error).context(format!("{name} is not deleted")));
                break;
            }
        }
    }
    if is_any_deleted && let Err(error) = forget_deleted(&data).await {
        match &ended {
            Ok(()) => return Err(error),
            Err(_) => complain(&error_chain(error.as_ref())),
        }
    }
    ended
}

/// Leaves no byte of what was deleted in the database.
async fn forget_deleted(data: &Storage) -> anyhow::Result<()> {
    if !data.store.forget_deleted().await? {
        line("Another program has the database open; the last deleted bytes leave the file when it ends.");
    }
    Ok(())
}
