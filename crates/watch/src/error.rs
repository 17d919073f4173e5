//! Why a transcript is not found.

use std::io;
use std::path::PathBuf;

use crate::agent::ForeignAgent;

/// Why a transcript is not found. The text says what helps.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// No file has this id.
    #[error("there is no session {id:?} of {agent} in {}; `throughline resume --from {agent}` lists them", folder.display())]
    Missing {
        /// The agent.
        agent: ForeignAgent,
        /// The id, cut to a short text.
        id: String,
        /// The folder of its transcripts.
        folder: PathBuf,
    },
    /// More than one id begins so.
    #[error("several sessions of {agent} begin with {id:?}; write more of the id")]
    Several {
        /// The agent.
        agent: ForeignAgent,
        /// The start of the ids.
        id: String,
    },
    /// A folder or a file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}
