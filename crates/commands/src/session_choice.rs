//! The session that the user names.

use std::path::PathBuf;

use anyhow::bail;
use throughline_continuity::SessionSummary;
use throughline_conversation::SessionId;
use throughline_stored::{SessionStart, Storage};
use throughline_terminal::note;
use throughline_text::headline;
use throughline_watch::{NamedSession, store_named};

use crate::usage::UsageError;

/// Maximum number of sessions that an error lists.
const LISTED: usize = 5;

/// The error of a fork without a session.
pub const NOTHING_TO_FORK: &str = "--fork copies a session; name it with --continue or --resume";

/// The session that the user names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// A new one.
    New,
    /// The newest one of the folder.
    Newest,
    /// One by its id, the start of one, `last`, or words of its title.
    Named(String),
    /// One that is chosen from a list.
    Choose,
}

/// The session that the user names, and how it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionChoice {
    /// The session.
    pub which: Which,
    /// Work in a copy of it.
    pub fork: bool,
    /// The folder whose newest session `last` means. `None`: that of all folders.
    pub folder: Option<PathBuf>,
}

/// The session that is named, without asking the user.
///
/// # Errors
/// No session has the name, several have, or one that is chosen from a list is wanted.
pub async fn choose(choice: &SessionChoice, storage: &Storage) -> anyhow::Result<SessionStart> {
    let session = match &choice.which {
        Which::New if choice.fork => {
            bail!(UsageError(NOTHING_TO_FORK.to_owned()))
        }
        Which::New => return Ok(SessionStart::New),
        Which::Newest => storage.newest(choice.folder.as_deref()).await?,
        Which::Choose => {
            bail!(UsageError("name the session after --resume; `throughline sessions` lists them".to_owned()))
        }
        Which::Named(name) => match foreign_session(storage, name).await? {
            Some(session) => session,
            None => named(choice, storage, name).await?,
        },
    };
    Ok(SessionStart::of(session, choice.fork))
}

/// Stores the session of another agent that a name such as `claude:12f1` means, and prints what was stored. `None`: another kind
/// of name.
///
/// # Errors
/// There is no such session, or it cannot be stored.
pub async fn foreign_session(storage: &Storage, name: &str) -> anyhow::Result<Option<SessionId>> {
    let named = store_named(storage, name).await?;
    Ok(named.map(|NamedSession { session, notices }| {
        notices.iter().for_each(|text| note(text));
        session
    }))
}

/// The one session that a name fits.
async fn named(choice: &SessionChoice, storage: &Storage, name: &str) -> anyhow::Result<SessionId> {
    match storage.matching(name, choice.folder.as_deref()).await?.as_slice() {
        [one] => Ok(one.info.id.clone()),
        several => bail!("{}", ambiguous(name, several)),
    }
}

fn ambiguous(name: &str, several: &[SessionSummary]) -> String {
    let named = several.iter().take(LISTED);
    let named: Vec<String> =
        named.map(|one| format!("{} ({:?})", one.info.id, headline(&one.info.title, 40))).collect();
    let more = several.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("several sessions match {name:?}: {}{more}; write the id of one", named.join(", "))
}
