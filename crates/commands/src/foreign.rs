//! Sessions of other agents, by names such as `claude:12f1`: they are stored as sessions and continued here.

pub mod opencode;

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, bail};
use throughline::{DeletedTranscript, ImportedSession, Storage, workspace};
use throughline_conversation::{Millis, SessionId};
use throughline_replay::{RecordedSession, read_session};
use throughline_terminal::{line, note, table};
use throughline_text::headline;
use throughline_watch::{ForeignAgent, ForeignName, Transcript, Transcripts, head};

use crate::age::age;
use crate::usage::UsageError;

/// Most sessions of a list.
const LISTED: usize = 20;

/// Most transcripts whose beginnings are read for a list.
const LOOKED_AT: usize = 500;

/// The session of a name such as `claude:12f1`, after its transcript was stored. `None`: another kind of name.
pub async fn stored(storage: &Storage, name: &str) -> anyhow::Result<Option<SessionId>> {
    let Some(name) = ForeignName::parse(name) else { return Ok(None) };
    let agent = name.agent;
    let (recorded, folder) = if agent == ForeignAgent::OpenCode {
        let opencode::Exported { recorded, folder, .. } = opencode::exported(&name.id)?;
        (recorded, folder)
    } else {
        let transcript = transcripts()?.find(&name)?;
        (read_session(&transcript.path)?, head(&transcript.path)?.folder)
    };
    let imported = import(storage, agent, &recorded, folder, DeletedTranscript::StoreAgain).await?;
    let imported = imported.with_context(|| format!("session {} of {agent} is deleted", recorded.id))?;
    let session = &imported.session;
    if imported.was_deleted {
        note(&format!("session {session} was deleted, and is stored again because it was asked for"));
    }
    if imported.added > 0 {
        note(&format!("{} messages of {agent} were stored in session {session}", imported.added));
    }
    if imported.left_out > 0 {
        note(&format!(
            "{agent} has {} newer messages, which are left out, because session {session} has continued here",
            imported.left_out
        ));
    }
    Ok(Some(imported.session))
}

/// Stores a transcript, or what is new of it, under the folder that it is about. `None`: the user has deleted its session.
pub async fn import(
    storage: &Storage,
    agent: ForeignAgent,
    recorded: &RecordedSession,
    folder: Option<PathBuf>,
    deleted: DeletedTranscript,
) -> anyhow::Result<Option<ImportedSession>> {
    Ok(storage.import(agent, recorded, &session_folder(folder)?, deleted).await?)
}

/// The workspace of a session that is about this folder. `None`: it names none.
pub fn session_folder(folder: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    Ok(match folder {
        Some(folder) => folder.canonicalize().unwrap_or(folder),
        None => workspace(None)?,
    })
}

/// Asks which session of an agent to continue, and returns its name.
pub fn choose(agent: ForeignAgent, any_folder: bool, place: Option<&Path>) -> anyhow::Result<String> {
    if !agent.has_files() {
        bail!(UsageError(format!(
            "{agent} has its sessions in a database; `{agent} session list` lists them: throughline resume {agent}:ID"
        )));
    }
    let rows = some(agent, any_folder, place)?;
    let now = throughline::now();
    let mut cells = vec![["", "SESSION", "AGE", "TITLE"].map(str::to_owned).to_vec()];
    for (number, (transcript, title)) in rows.iter().enumerate() {
        let modified = millis(transcript);
        let id = format!("{agent}:{}", transcript.id);
        cells.push(vec![(number + 1).to_string(), id, age(now, modified), headline(title, 60)]);
    }
    table(&cells).iter().for_each(|text| line(text));
    if !std::io::stdin().is_terminal() {
        bail!(UsageError(format!("name one of these sessions: throughline resume {agent}:ID")));
    }
    let mut out = std::io::stderr();
    write!(out, "Number of the session to continue: ").and_then(|()| out.flush()).context("could not ask")?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("could not read the answer")?;
    let number: Option<usize> = answer.trim().parse().ok();
    let chosen = number.and_then(|number| rows.get(number.checked_sub(1)?));
    let Some((transcript, _)) = chosen else { bail!("{:?} is not a number of the list", answer.trim()) };
    Ok(format!("{agent}:{}", transcript.id))
}

/// The agent of this name.
pub fn parse_agent(name: &str) -> Result<ForeignAgent, String> {
    let names = ForeignAgent::ALL.map(ForeignAgent::name).join(", ");
    ForeignAgent::of(name).ok_or_else(|| format!("the agents whose sessions can be read are {names}"))
}

/// The newest session of all agents in this folder, or in any.
pub fn newest(any_folder: bool) -> anyhow::Result<ForeignName> {
    let first = some_of_all(any_folder)?.into_iter().next();
    first
        .map(|(agent, transcript, _)| ForeignName { agent, id: transcript.id })
        .context("there is no session")
}

/// The newest sessions of all agents in this folder, or in any, at least one.
pub fn some_of_all(any_folder: bool) -> anyhow::Result<Vec<(ForeignAgent, Transcript, String)>> {
    let folder = if any_folder { None } else { Some(workspace(None)?) };
    let mut rows = Vec::new();
    for agent in ForeignAgent::ALL.into_iter().filter(|agent| agent.has_files()) {
        let own = listed(agent, folder.as_deref())?;
        rows.extend(own.into_iter().map(|(transcript, title)| (agent, transcript, title)));
    }
    if rows.is_empty() {
        bail!(no_session("claude, codex or gemini", folder.as_deref()));
    }
    rows.sort_by_key(|(_, transcript, _)| std::cmp::Reverse(transcript.modified));
    rows.truncate(LISTED);
    Ok(rows)
}

fn no_session(of: &str, folder: Option<&Path>) -> String {
    let place = folder.map_or_else(|| "any folder".to_owned(), |folder| folder.display().to_string());
    format!("there is no session of {of} in {place}; --any-folder lists those of all folders")
}

/// The newest sessions of an agent in a folder, at least one.
pub fn some(
    agent: ForeignAgent,
    any_folder: bool,
    place: Option<&Path>,
) -> anyhow::Result<Vec<(Transcript, String)>> {
    let folder = if any_folder { None } else { Some(workspace(place)?) };
    let rows = listed(agent, folder.as_deref())?;
    if rows.is_empty() {
        bail!(no_session(agent.name(), folder.as_deref()));
    }
    Ok(rows)
}

/// The newest sessions of an agent in a folder, with their titles.
fn listed(agent: ForeignAgent, folder: Option<&Path>) -> anyhow::Result<Vec<(Transcript, String)>> {
    let mut rows = Vec::new();
    let Some(files) = agent.files() else { return Ok(rows) };
    for transcript in transcripts()?.list(files)?.into_iter().take(LOOKED_AT) {
        let Ok(head) = head(&transcript.path) else { continue };
        let of_folder = |wanted: &Path| head.folder.as_deref().is_some_and(|own| own == wanted);
        if !head.title.is_empty() && folder.is_none_or(of_folder) {
            rows.push((transcript, head.title));
        }
        if rows.len() == LISTED {
            break;
        }
    }
    Ok(rows)
}

/// When a transcript was written last.
pub fn millis(transcript: &Transcript) -> Millis {
    let modified = transcript.modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis(i64::try_from(modified.as_millis()).unwrap_or(i64::MAX))
}

/// The folders in which the agents of this user have their sessions.
///
/// # Errors
/// `HOME` is not set.
pub fn transcripts() -> anyhow::Result<Transcripts> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home =
        folder("HOME").context("the sessions of other agents are in the home folder, and HOME is not set")?;
    Ok(Transcripts::of_user(&home, &folder))
}
