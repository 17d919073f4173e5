//! The session that the arguments name.

use anyhow::bail;
use throughline::{SessionStart, Storage};
use throughline_continuity::SessionSummary;
use throughline_conversation::SessionId;

use super::args::SessionArgs;
use crate::terminal::headline;
use crate::usage::UsageError;

/// Maximum number of sessions that an error lists.
const LISTED: usize = 5;

/// The error of a fork without a session.
pub(crate) const NOTHING_TO_FORK: &str = "--fork copies a session; name it with --continue or --resume";

/// The session that the user names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Which {
    /// A new one.
    New,
    /// The newest one of the folder.
    Newest,
    /// One by its id, the start of one, `last`, or words of its title.
    Named(String),
    /// One that is chosen from a list.
    Choose,
}

/// The session that the arguments name, without asking the user.
pub(crate) async fn choose(args: &SessionArgs, storage: &Storage) -> anyhow::Result<SessionStart> {
    let session = match args.which() {
        Which::New if args.fork => {
            bail!(UsageError(NOTHING_TO_FORK.to_owned()))
        }
        Which::New => return Ok(SessionStart::New),
        Which::Newest => storage.newest(args.folder()?.as_deref()).await?,
        Which::Choose => {
            bail!(UsageError("name the session after --resume; `throughline sessions` lists them".to_owned()))
        }
        Which::Named(name) => match crate::foreign::stored(storage, &name).await? {
            Some(session) => session,
            None => named(args, storage, &name).await?,
        },
    };
    Ok(SessionStart::of(session, args.fork))
}

/// The one session that a name fits.
async fn named(args: &SessionArgs, storage: &Storage, name: &str) -> anyhow::Result<SessionId> {
    match storage.matching(name, args.folder()?.as_deref()).await?.as_slice() {
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
