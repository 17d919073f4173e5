//! Sessions of OpenCode: what it exports, or gives to a hook.

use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;
use throughline_replay::{RecordedSession, RecordingError, parse_session};
use throughline_watch::is_plain_id;

use crate::usage::UsageError;

/// Most bytes of a session that are read.
const EXPORT: u64 = 512 * 1024 * 1024;

/// The session that `opencode export` writes, and the folder that it is about.
pub(crate) fn exported(id: &str) -> anyhow::Result<(RecordedSession, Option<PathBuf>)> {
    if !is_plain_id(id) {
        bail!(UsageError(
            "name a session of opencode by its id; `opencode session list` lists them".to_owned()
        ));
    }
    // Into a pipe opencode writes no more than the pipe takes at once.
    let mut file = tempfile::tempfile().context("cannot make a temporary file")?;
    let output = file.try_clone().context("cannot use a temporary file")?;
    let mut export = Command::new("opencode");
    export.args(["export", id]).stdin(Stdio::null()).stdout(output).stderr(Stdio::null());
    let status = export.status().context("cannot run `opencode export`; check that opencode is installed")?;
    ensure!(status.success(), "opencode has no session {id}; `opencode session list` lists them");
    let mut bytes = Vec::new();
    file.rewind()
        .and_then(|()| file.take(EXPORT).read_to_end(&mut bytes))
        .context("cannot read the export")?;
    let folder = serde_json::from_slice(&bytes).ok().as_ref().and_then(folder);
    Ok((parse_session(Path::new(id), &bytes)?, folder))
}

/// The session that a hook was given, and the folder that it is about. `None`: there is no conversation in it yet.
pub(crate) fn given(session: &Value) -> anyhow::Result<Option<(RecordedSession, Option<PathBuf>)>> {
    let id = session.pointer("/info/id").and_then(Value::as_str).unwrap_or_default();
    ensure!(is_plain_id(id), "the session that the hook was given has no id");
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
