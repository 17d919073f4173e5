//! Where the transcripts are, and which there are.

use std::path::PathBuf;

use throughline_conversation::Millis;
use throughline_text::fingerprint;
use throughline_watch::{FileAgent, Transcript, WatchError, modified_at, recordings_in, transcripts};

/// What the files of subagents of Claude Code are named.
const SUBAGENT: &str = "agent-";

/// Characters of an id that a key has.
const KEY: usize = 80;

/// A place with transcripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranscriptPlace {
    /// The folder in which an agent of this user has its sessions.
    Agent(FileAgent),
    /// A folder with recordings of any agent, or one file.
    Path {
        /// The folder or file.
        path: PathBuf,
        /// The agent that the user names.
        agent: Option<FileAgent>,
    },
}

/// A transcript that lies in a place.
#[derive(Debug, Clone)]
pub(crate) struct FoundTranscript {
    /// Its name in addresses.
    pub(crate) key: String,
    /// The agent by the place; `None`: its content tells.
    pub(crate) agent: Option<FileAgent>,
    pub(crate) file: Transcript,
    pub(crate) modified: Millis,
    pub(crate) bytes: u64,
}

impl FoundTranscript {
    pub(crate) fn new(agent: Option<FileAgent>, file: Transcript) -> Self {
        let bytes = file.path.metadata().map_or(0, |found| found.len());
        Self { key: key_of(&file), agent, modified: modified_at(&file), bytes, file }
    }

    /// Changes when the file does.
    pub(crate) fn version(&self) -> (Millis, u64) {
        (self.modified, self.bytes)
    }
}

impl TranscriptPlace {
    /// The transcripts of the place; those of subagents are left out.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(crate) fn list(&self) -> Result<Vec<FoundTranscript>, WatchError> {
        let (agent, files) = match self {
            Self::Agent(agent) => (Some(*agent), transcripts()?.list(*agent)?),
            Self::Path { path, agent } => (*agent, recordings_in(path)?),
        };
        let of_user = files.into_iter().filter(|file| !file.id.starts_with(SUBAGENT));
        Ok(of_user.map(|file| FoundTranscript::new(agent, file)).collect())
    }
}

/// The name of a file in addresses: its session's id, and what tells it from another file of that id.
fn key_of(file: &Transcript) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let id: String = file.id.chars().take(KEY).map(plain).collect();
    let path = fingerprint(file.path.as_os_str().as_encoded_bytes());
    format!("{}-{:08x}", id.trim_matches('-'), path & 0xffff_ffff)
}
