//! What hooks have offloaded of a session of another agent, and why they have not: a file next to the database.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use throughline_config::JsonFile;
use throughline_conversation::{Millis, ResultRef, SessionId};
use throughline_stored::{DataDir, Result, SideFile, now};

/// Maximum number of results of a session: the file is written again for each.
pub(crate) const MAX_OFFLOADED: usize = 2_000;

/// Maximum number of failures of a session; the oldest go first.
const FAILURES: usize = 20;

/// What hooks have offloaded of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offloads {
    /// The results, oldest first.
    #[serde(default)]
    pub results: Vec<OffloadedResult>,
    /// Why results were left whole, oldest first.
    #[serde(default)]
    pub failures: Vec<OffloadFailure>,
    /// How many were left whole for such a reason.
    #[serde(default)]
    pub failed: u64,
}

/// A result that was stored, and whose preview its agent was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffloadedResult {
    /// The id of the call; empty if the agent gives none.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// The reference of the original.
    pub stored: ResultRef,
    /// Size of the original in bytes.
    pub bytes: u64,
    /// Size of the preview in bytes.
    pub shown: u64,
    /// Tokens that the preview has less, estimated.
    pub saved: u64,
    /// When it was stored.
    pub at: Millis,
}

/// A result that was left whole because something failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffloadFailure {
    /// When.
    pub at: Millis,
    /// The tool.
    pub tool: String,
    /// Why.
    pub reason: String,
}

/// The file of a session. It holds names, sizes and times, and nothing of a result's content.
#[derive(Debug, Clone)]
pub struct OffloadFile(JsonFile);

impl Offloads {
    /// What hooks have offloaded of a session. Nothing where none has.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(data_dir: Option<PathBuf>, session: &SessionId) -> Result<Self> {
        match DataDir::place(data_dir) {
            Some(folder) => OffloadFile::new(&folder, session).read(),
            None => Ok(Self::default()),
        }
    }
}

impl OffloadFile {
    /// The file in a data folder. It need not exist.
    #[must_use]
    pub fn new(data: &Path, session: &SessionId) -> Self {
        Self(SideFile::Offloads.of(data, session))
    }

    /// What is in it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self) -> Result<Offloads> {
        Ok(self.0.read()?)
    }

    /// Adds results.
    ///
    /// # Errors
    /// The file cannot be read or written. Then it is unchanged.
    pub fn add(&self, results: Vec<OffloadedResult>) -> Result<()> {
        Ok(self.0.change(|offloads: &mut Offloads| offloads.results.extend(results))?)
    }

    /// Adds a failure.
    ///
    /// # Errors
    /// The file cannot be read or written. Then it is unchanged.
    pub fn add_failure(&self, tool: &str, reason: &str) -> Result<()> {
        let failure = OffloadFailure { at: now(), tool: tool.to_owned(), reason: reason.to_owned() };
        Ok(self.0.change(|offloads: &mut Offloads| {
            offloads.failed += 1;
            offloads.failures.push(failure);
            offloads.failures.drain(..offloads.failures.len().saturating_sub(FAILURES));
        })?)
    }
}
