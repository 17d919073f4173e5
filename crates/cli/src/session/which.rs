//! Which session is meant.

use std::path::Path;

use anyhow::{Context as _, bail};
use throughline_continuity::{SessionDirectory, SessionSummary};
use throughline_conversation::SessionId;

use crate::compose::{Data, workspace};
use crate::session::args::SessionArgs;
use crate::terminal::headline;

/// Sessions that an error names when several fit.
const NAMED: usize = 5;

/// The session that the user means.
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

/// What is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Start {
    /// A new session.
    New,
    /// One that is there.
    There(SessionId),
    /// A copy of one that is there.
    CopyOf(SessionId),
}

impl Start {
    /// A session that is there, or a copy of it.
    pub(crate) fn of(session: SessionId, fork: bool) -> Self {
        if fork { Self::CopyOf(session) } else { Self::There(session) }
    }
}

/// What the arguments ask to open, where nobody can choose.
pub(crate) async fn choose(args: &SessionArgs, data: &Data) -> anyhow::Result<Start> {
    let session = match args.which() {
        Which::New if args.fork => {
            bail!("--fork copies a session; name it with --continue or --resume")
        }
        Which::New => return Ok(Start::New),
        Which::Newest => newest_of(data, &workspace(args.workspace.as_deref())?).await?,
        Which::Choose => bail!("name the session after --resume; `throughline sessions` lists them"),
        Which::Named(name) => match matching(data, &name).await?.as_slice() {
            [one] => one.info.id.clone(),
            several => bail!("{}", ambiguous(&name, several)),
        },
    };
    Ok(Start::of(session, args.fork))
}

/// The sessions that a name fits: the one with this id, else the one whose id begins so, else all that have every word of
/// it in their titles. Never empty.
pub(crate) async fn matching(data: &Data, name: &str) -> anyhow::Result<Vec<SessionSummary>> {
    let all = data.store.sessions().list().await?;
    let by_id = data.find(name).await;
    if let Ok(id) = &by_id {
        return Ok(all.into_iter().filter(|session| session.info.id == *id).collect());
    }
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let fits = |session: &SessionSummary| {
        let title = session.info.title.to_lowercase();
        !words.is_empty() && words.iter().all(|word| title.contains(word))
    };
    let found: Vec<SessionSummary> = all.into_iter().filter(fits).collect();
    match by_id {
        Err(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

fn ambiguous(name: &str, several: &[SessionSummary]) -> String {
    let named = several.iter().take(NAMED);
    let named: Vec<String> =
        named.map(|one| format!("{} ({:?})", one.info.id, headline(&one.info.title, 40))).collect();
    let more = several.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("several sessions fit {name:?}: {}{more}; write the id of one", named.join(", "))
}

/// The session of this folder that was worked on last. One in which nothing was said yet is none.
async fn newest_of(data: &Data, workspace: &Path) -> anyhow::Result<SessionId> {
    let here = workspace.display().to_string();
    let all = data.store.sessions().list().await?;
    let newest = all.into_iter().find(|session| session.info.workspace == here && session.exchanges > 0);
    let newest = newest.with_context(|| format!("there is no session of folder {here} to go on with"))?;
    Ok(newest.info.id)
}
