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

#[derive(Debug, Default, Serialize, Deserialize)]
struct Entry {
    /// The hash of the files of its root.
    files: String,
    /// The hashes of the files of folders in it, by their paths from the root on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    folders: BTreeMap<String, String>,
    /// Milliseconds since 1970.
    at: i64,
}

impl Entry {
    /// Returns true if the decision is about all these files: the [fingerprints](Project::fingerprints) of a project.
    fn holds(&self, files: &BTreeMap<String, String>) -> bool {
        let of = |folder: &str| if folder.is_empty() { Some(&self.files) } else { self.folders.get(folder) };
        files.iter().all(|(folder, hash)| of(folder) == Some(hash))
    }

    /// Makes the decision one about the present files. What was decided about other folders of the project stays.
    fn renew(&mut self, project: &Project) {
        let mut hashes = project.fingerprints();
        self.files = hashes.remove("").unwrap_or_default();
        self.folders.extend(hashes);
        self.at = SystemClock.now().0;
    }
}

impl TrustFile {
    /// The file of a data folder.
    #[must_use]
    pub fn in_folder(data: &Path) -> Self {
        Self(JsonFile::new(data.join("trust.json")))
    }

    /// The decision about a project. A linked worktree is trusted if it has the same files as its main working tree had when that
    /// was trusted.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(&self, project: &Project) -> Result<Trust> {
        let decisions: Decisions = self.0.read()?;
        let Some(name) = project.root.to_str() else { return Ok(Trust::Unknown) };
        let main = project.main.as_deref().and_then(Path::to_str);
        let own = decisions.folders.get(name);
        let of_main = main.and_then(|main| decisions.folders.get(main));
        let files = project.fingerprints();
        Ok(match own.into_iter().chain(of_main).any(|entry| entry.holds(&files)) {
            true => Trust::Trusted,
            false if own.is_some() => Trust::Changed,
            false => Trust::Unknown,
        })
    }

    /// Trusts a project with its present files.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn grant(&self, project: &Project) -> Result<()> {
        let name = name(project)?;
        self.0.change(|decisions: &mut Decisions| {
            decisions.refused.remove(&name);
            decisions.folders.entry(name).or_default().renew(project);
        })
    }

    /// Records that the user does not trust a project with its present files.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn refuse(&self, project: &Project) -> Result<()> {
        let name = name(project)?;
        self.0.change(|decisions: &mut Decisions| {
            decisions.refused.entry(name).or_default().renew(project);
        })
    }

    /// Returns true if the user has refused to trust a project with its present files.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_refused(&self, project: &Project) -> Result<bool> {
        let decisions: Decisions = self.0.read()?;
        let entry = project.root.to_str().and_then(|name| decisions.refused.get(name));
        Ok(entry.is_some_and(|entry| entry.holds(&project.fingerprints())))
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

#[cfg(test)]
mod tests;
