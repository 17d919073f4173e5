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

impl FileVersion {
    /// Returns true if both are the same content with the same mode, or no file, wherever the bytes are stored. A content that
    /// is not stored is the same as no other.
    #[must_use]
    pub fn is_same_file(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Missing, Self::Missing) => true,
            (Self::Content { hash, mode, .. }, Self::Content { hash: of_other, mode: other_mode, .. }) => {
                (hash, mode) == (of_other, other_mode)
            }
            _ => false,
        }
    }
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
