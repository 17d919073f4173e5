//! Sessions of OpenCode: what it exports, or gives to a hook.

use std::collections::BTreeSet;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use throughline_replay::{RecordedSession, RecordingError, lenient_json, parse_session};
use throughline_stored::Attempt as _;
use throughline_text::error_chain;

use crate::failure::{Result, WatchError};
use crate::transcripts::is_plain_id;

/// Maximum bytes of a session that are read.
const EXPORT: u64 = 512 * 1024 * 1024;

/// Maximum number of subagents of a session that are read.
const SUBAGENTS: usize = 200;

/// Words of the result of a subagent in which its session is named.
const RESULT_WORDS: usize = 8;

/// A session that `opencode export` has written.
#[derive(Debug)]
pub struct ExportedSession {
    /// The session in the form of all agents.
    pub recorded: RecordedSession,
    /// The folder that it is about.
    pub folder: Option<PathBuf>,
    /// What was written.
    pub document: Value,
}

/// The session that `opencode export` writes.
///
/// # Errors
/// The program is missing, or has no such session.
pub fn opencode_session(id: &str) -> Result<ExportedSession> {
    if !is_plain_id(id) {
        return Err(WatchError::usage(
            "name a session of opencode by its id; `opencode session list` lists them",
        ));
    }
    let mut export = opencode();
    let exported = written_by(export.args(["export", id]))?;
    let missing = || format!("opencode has no session {id}; `opencode session list` lists them");
    let bytes = exported.ok_or_else(|| WatchError::refused(missing()))?;
    let recorded = parse_session(Path::new(id), &bytes)?;
    let document: Value = lenient_json(&bytes).attempt(|| "`opencode export` wrote no JSON".to_owned())?;
    Ok(ExportedSession { recorded, folder: folder(&document), document })
}

/// The same with the sessions of its subagents, which OpenCode does not list. One that cannot be read is named in the warnings.
///
/// # Errors
/// As [`opencode_session`].
pub(crate) fn opencode_session_with_subagents(id: &str) -> Result<RecordedSession> {
    let ExportedSession { mut recorded, document, .. } = opencode_session(id)?;
    let mut known: BTreeSet<String> = BTreeSet::from([id.to_owned()]);
    let mut waiting: Vec<String> = subagents(&document).map(str::to_owned).collect();
    while let Some(id) = waiting.pop() {
        if !known.insert(id.clone()) || known.len() > SUBAGENTS {
            continue;
        }
        match opencode_session(&id) {
            Ok(ExportedSession { recorded: of_subagent, document, .. }) => {
                waiting.extend(subagents(&document).map(str::to_owned));
                recorded.separate.push(of_subagent);
            }
            Err(WatchError::Recording(RecordingError::NoConversation { .. })) => {}
            Err(error) => recorded.warnings.push(format!("the subagent {id}: {}", error_chain(&error))),
        }
    }
    Ok(recorded)
}

/// The sessions of the subagents that a session has started.
fn subagents(document: &Value) -> impl Iterator<Item = &str> {
    let messages = document.get("messages").and_then(Value::as_array).into_iter().flatten();
    let parts = messages.filter_map(|message| message.get("parts")?.as_array()).flatten();
    let tasks = parts.filter(|part| part.get("tool").and_then(Value::as_str) == Some("task"));
    tasks.filter_map(|task| {
        let of = |place: &str| task.pointer(place).and_then(Value::as_str);
        // Older versions write it only into the result, which begins with it.
        let in_result = || {
            let words = of("/state/output")?.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.take(RESULT_WORDS).find(|word| word.starts_with("ses_"))
        };
        of("/state/metadata/sessionId").or_else(in_result).filter(|id| is_plain_id(id))
    })
}

/// The ids of the newest sessions of OpenCode in the project of the current folder, the newest first.
///
/// # Errors
/// The program is missing or fails.
pub fn opencode_newest(count: usize) -> Result<Vec<String>> {
    let mut list = opencode();
    list.args(["session", "list", "--format", "json", "--max-count", &count.to_string()]);
    let bytes =
        written_by(&mut list)?.ok_or_else(|| WatchError::refused("`opencode session list` failed"))?;
    // It writes nothing where there is no session.
    if bytes.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let sessions: Vec<Value> =
        lenient_json(&bytes).attempt(|| "`opencode session list --format json` wrote no list".to_owned())?;
    let ids = sessions.iter().filter_map(|session| session.get("id").and_then(Value::as_str));
    Ok(ids.filter(|id| is_plain_id(id)).map(str::to_owned).take(count).collect())
}

/// The program. Where it is missing, starting it says so.
fn opencode() -> Command {
    let program = throughline_programs::find("opencode").unwrap_or_else(|| "/nonexistent/opencode".into());
    let mut command = Command::new(program);
    command.env("PATH", throughline_programs::search_path());
    command
}

/// What a command of opencode writes. `None`: it failed.
fn written_by(command: &mut Command) -> Result<Option<Vec<u8>>> {
    // Into a pipe opencode writes no more than the pipe takes at once.
    let mut file = tempfile::tempfile().attempt(|| "cannot make a temporary file".to_owned())?;
    let output = file.try_clone().attempt(|| "cannot use a temporary file".to_owned())?;
    command.stdin(Stdio::null()).stdout(output).stderr(Stdio::null());
    let status =
        command.status().attempt(|| "cannot run `opencode`; check that it is installed".to_owned())?;
    let mut bytes = Vec::new();
    file.rewind()
        .and_then(|()| file.take(EXPORT).read_to_end(&mut bytes))
        .attempt(|| "cannot read what opencode has written".to_owned())?;
    Ok(status.success().then_some(bytes))
}

/// The session that a hook was given, and the folder that it is about. `None`: there is no conversation in it yet.
pub(crate) fn given(session: &Value) -> Result<Option<(RecordedSession, Option<PathBuf>)>> {
    let id = session.pointer("/info/id").and_then(Value::as_str).unwrap_or_default();
    if !is_plain_id(id) {
        return Err(WatchError::refused("the session that the hook was given has no id"));
    }
    let is_empty = session.get("messages").and_then(Value::as_array).is_none_or(Vec::is_empty);
    if is_empty {
        return Ok(None);
    }
    match parse_session(Path::new(id), session.to_string().as_bytes()) {
        Ok(recorded) => Ok(Some((recorded, folder(session)))),
        Err(RecordingError::NoConversation { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn folder(session: &Value) -> Option<PathBuf> {
    let folder = session.pointer("/info/directory").and_then(Value::as_str)?;
    (!folder.is_empty()).then(|| PathBuf::from(folder))
}

#[cfg(test)]
mod tests;
