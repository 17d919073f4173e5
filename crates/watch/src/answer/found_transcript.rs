//! The transcript that a hook is about.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use throughline_replay::{
    ClaudePlace, ClaudeReading, RecordedSession, RecordingError, read_claude, read_session,
};
use throughline_stored::Attempt as _;

use crate::agent::ForeignAgent;
use crate::failure::{Result, WatchError};
use crate::head::folder_of;
use crate::hooks::HookPayload;
use crate::opencode_export::given;
use crate::sessions::unreadable;
use crate::tail::ends_with_text;

/// How long an answer that was given may take until the transcript has it.
const WRITTEN: Duration = Duration::from_secs(1);

/// Time between two looks at the transcript.
const LOOK: Duration = Duration::from_millis(25);

/// Waits until the transcript has the last answer: agents call their hooks while they write it.
pub(super) async fn written(payload: &HookPayload) {
    let (Some(file), Some(said)) = (&payload.transcript_path, &payload.last_assistant_message) else {
        return;
    };
    if !file.is_file() {
        return;
    }
    let end = Instant::now() + WRITTEN;
    // One that cannot be read has its error when it is.
    while Instant::now() < end && ends_with_text(file, said).is_ok_and(|found| !found) {
        tokio::time::sleep(LOOK).await;
    }
}

/// Returns true if a transcript is there. One that is no file, such as a pipe, would be read without an end.
pub(super) fn is_there(path: &Path) -> Result<bool> {
    if path.exists() && !path.is_file() {
        return Err(WatchError::refused(format!("{} is not a file", path.display())));
    }
    Ok(path.exists())
}

/// The transcript that a payload is about.
pub(super) struct FoundTranscript {
    /// What it says.
    pub(super) recorded: RecordedSession,
    /// Where Claude Code is in it; `None`: another agent.
    pub(super) place: Option<ClaudePlace>,
    /// The folder of the session.
    pub(super) folder: Option<PathBuf>,
}

/// The session that a payload is about. `None`: it has just begun, or the agent stores none.
pub(super) fn transcript(agent: ForeignAgent, payload: &HookPayload) -> Result<Option<FoundTranscript>> {
    if !agent.has_files() {
        let Some(session) = &payload.session else { return Ok(None) };
        let given = given(session)?;
        return Ok(given.map(|(recorded, folder)| FoundTranscript { recorded, place: None, folder }));
    }
    let Some(file) = &payload.transcript_path else { return Ok(None) };
    if file.extension().is_none_or(|end| end != "jsonl") {
        return Err(WatchError::refused(format!("{} is not a transcript", file.display())));
    }
    if !is_there(file)? {
        return Ok(None);
    }
    let read = match agent {
        ForeignAgent::Claude => read_claude(file),
        _ => read_session(file).map(|session| ClaudeReading { session, place: None }),
    };
    match read {
        Ok(ClaudeReading { session, place }) => {
            let folder = folder_of(file).attempt(|| unreadable(file))?;
            Ok(Some(FoundTranscript { recorded: session, place, folder }))
        }
        Err(RecordingError::Empty { .. } | RecordingError::NoConversation { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
