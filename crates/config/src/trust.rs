//! Which projects the user trusts, each with a hash of its files at that time.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{ConfigError, Result};
use crate::json_file::JsonFile;
use crate::project::Project;
use throughline_agent::{Clock as _, SystemClock};

/// The user's decision about a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Trusted, and its files have not changed since.
    Trusted,
    /// Trusted once, but its files have changed since.
    Changed,
    /// No trust decision is recorded.
    Unknown,
}

impl Trust {
    /// The decision in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Changed => "not trusted any more: its files have changed since it was",
            Self::Unknown => "not trusted",
        }
    }
}

/// The file of trusted projects.
#[derive(Debug, Clone)]
pub struct TrustFile(JsonFile);

#[derive(Debug, Default, Serialize, Deserialize)]
struct Decisions {
    /// By the folder's path with all links followed: a folder that moved is another one.
    folders: BTreeMap<String, Entry>,
    /// Projects that the user refused to trust: the question is not asked twice.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    refused: BTreeMap<String, Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// The hash of its files.
    files: String,
    /// Milliseconds since 1970.
    at: i64,
}

impl TrustFile {
    /// The file of a data folder.
    #[must_use]
    pub fn in_folder(data: &Path) -> Self {
        Self(JsonFile::new(data.join("trust.json")))
    }

    /// The decision about a project.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(&self, project: &Project) -> Result<Trust> {
        let decisions: Decisions = self.0.read()?;
        let Some(name) = project.root.to_str() else { return Ok(Trust::Unknown) };
        Ok(match decisions.folders.get(name) {
            Some(entry) if entry.files == project.fingerprint() => Trust::Trusted,
            Some(_) => Trust::Changed,
            None => Trust::Unknown,
        })
    }

    /// Trusts a project with its present files.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn grant(&self, project: &Project) -> Result<()> {
        let (name, entry) = (name(project)?, Entry { files: project.fingerprint(), at: SystemClock.now().0 });
        self.0.change(|decisions: &mut Decisions| {
            decisions.refused.remove(&name);
            decisions.folders.insert(name, entry);
        })
    }

    /// Records that the user does not trust a project with its present files.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn refuse(&self, project: &Project) -> Result<()> {
        let (name, entry) = (name(project)?, Entry { files: project.fingerprint(), at: SystemClock.now().0 });
        self.0.change(|decisions: &mut Decisions| {
            decisions.refused.insert(name, entry);
        })
    }

    /// Returns true if the user has refused to trust a project with its present files.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_refused(&self, project: &Project) -> Result<bool> {
        let decisions: Decisions = self.0.read()?;
        let entry = project.root.to_str().and_then(|name| decisions.refused.get(name));
        Ok(entry.is_some_and(|entry| entry.files == project.fingerprint()))
    }

    /// Withdraws the trust in a project. Returns true if it was trusted.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn withdraw(&self, project: &Project) -> Result<bool> {
        let (name, mut was) = (name(project)?, false);
        self.0.change(|decisions: &mut Decisions| was = decisions.folders.remove(&name).is_some())?;
        Ok(was)
    }
}

fn name(project: &Project) -> Result<String> {
    let name = project.root.to_str().map(str::to_owned);
    name.ok_or_else(|| {
        ConfigError::usage(format!("the path of {} is no UTF-8 text; rename it", project.root.display()))
    })
}
