//! Which sessions of other agents the user has deleted, so that their hooks do not store them again.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use throughline_conversation::{Millis, SessionId};

use crate::error::Result;
use crate::session_id::now;
use throughline_config::JsonFile;

/// The file of deleted sessions in a data folder. It holds ids and times, and nothing of a session's content.
#[derive(Debug, Clone)]
pub struct DeletedSessions(JsonFile);

#[derive(Debug, Default, Serialize, Deserialize)]
struct Marks {
    /// When each session was deleted.
    sessions: BTreeMap<String, Millis>,
}

impl DeletedSessions {
    /// The file of a data folder. It need not exist.
    #[must_use]
    pub fn in_folder(data: &Path) -> Self {
        Self(JsonFile::new(data.join("deleted-sessions.json")))
    }

    /// Marks the sessions of other agents among these as deleted. Sessions of Throughline need no mark, because nothing
    /// stores them again.
    ///
    /// # Errors
    /// The file cannot be read or written. Then it is unchanged.
    pub fn mark(&self, sessions: &[SessionId]) -> Result<()> {
        let foreign: Vec<&SessionId> = sessions.iter().filter(|session| is_foreign(session)).collect();
        if foreign.is_empty() {
            return Ok(());
        }
        let at = now();
        Ok(self.0.change(|marks: &mut Marks| {
            marks.sessions.extend(foreign.iter().map(|session| (session.to_string(), at)));
        })?)
    }

    /// Removes marks.
    ///
    /// # Errors
    /// The file cannot be read or written. Then it is unchanged.
    pub fn clear(&self, sessions: &[SessionId]) -> Result<()> {
        if sessions.is_empty() {
            return Ok(());
        }
        Ok(self.0.change(|marks: &mut Marks| {
            marks.sessions.retain(|marked, _| sessions.iter().all(|session| session.as_str() != marked));
        })?)
    }

    /// Returns true if the user has deleted the session.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn contains(&self, session: &SessionId) -> Result<bool> {
        Ok(self.0.read::<Marks>()?.sessions.contains_key(session.as_str()))
    }
}

/// The agents whose transcripts are stored as sessions. The id of such a session begins with the name and a hyphen.
pub const FOREIGN_AGENTS: [&str; 4] = ["claude", "codex", "opencode", "gemini"];

/// Returns true if the id is one that a transcript of another agent is stored under.
fn is_foreign(session: &SessionId) -> bool {
    let (agent, end) = session.as_str().split_once('-').unwrap_or_default();
    !end.is_empty() && FOREIGN_AGENTS.contains(&agent)
}
