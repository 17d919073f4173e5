//! Files that the calls of a turn changed.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use throughline_text::hexadecimal;

use crate::ids::ResultRef;

/// The files that calls changed, so that a user can restore them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesRecord {
    /// In the order of the changes. A file that was changed twice is there twice.
    pub changes: Vec<FileChange>,
    /// Reasons why changes that may have been made are not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unrecorded: Vec<String>,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Its absolute path, with symbolic links resolved.
    pub path: String,
    /// What it was.
    pub before: FileVersion,
    /// What it became. Its bytes are stored only if a user undid the change.
    pub after: FileVersion,
}

/// One content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum FileVersion {
    /// The file did not exist.
    Missing,
    /// The file had this content.
    Content {
        /// The name of the bytes in the result store.
        stored: ResultRef,
        /// SHA-256 of the bytes, in hexadecimal.
        hash: String,
        /// Their number.
        bytes: u64,
        /// The permission bits.
        mode: u32,
    },
    /// The content is not stored, for this reason.
    Unstored {
        /// The reason.
        why: String,
    },
}

/// The SHA-256 of bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

impl FileVersion {
    /// The hash of a file's content, as [`FileVersion::Content`] has it.
    #[must_use]
    pub fn hash(content: &[u8]) -> String {
        hexadecimal(&sha256(content))
    }

    /// The name of its bytes in the result store, if it has bytes.
    #[must_use]
    pub fn stored(&self) -> Option<&ResultRef> {
        match self {
            Self::Content { stored, .. } => Some(stored),
            Self::Missing | Self::Unstored { .. } => None,
        }
    }
}
