//! Which projects the user trusts, with what they said when they were trusted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use throughline_store::DataDir;

use super::args::TrustArgs;
use super::{Config, Project, Sources};
use crate::compose::now;
use crate::kept_file::KeptFile;
use crate::terminal::{line, plain};

/// Whether the user trusts a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Yes, and its files say what they said then.
    Trusted,
    /// It was, but its files have changed since.
    Changed,
    /// Nobody said so.
    Unknown,
}

impl Trust {
    /// What it is, for the user.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Changed => "not trusted any more: its files have changed since it was",
            Self::Unknown => "not trusted",
        }
    }
}

/// The file of trusted projects.
#[derive(Debug, Clone)]
pub(crate) struct TrustFile(KeptFile);

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// By the folder's path with all links followed: a folder that moved is another one.
    folders: BTreeMap<String, Entry>,
    /// Those that the user was asked about and does not trust: nobody is asked twice about the same.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    refused: BTreeMap<String, Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// What its files said.
    files: String,
    /// When, in milliseconds since 1970.
    at: i64,
}

impl TrustFile {
    /// That of a data folder.
    pub(crate) fn in_folder(data: &Path) -> Self {
        Self(KeptFile::new(data.join("trust.json")))
    }

    /// Whether a project is trusted.
    pub(crate) fn of(&self, project: &Project) -> anyhow::Result<Trust> {
        let kept: Kept = self.0.read()?;
        let Some(name) = project.root.to_str() else { return Ok(Trust::Unknown) };
        Ok(match kept.folders.get(name) {
            Some(entry) if entry.files == project.fingerprint() => Trust::Trusted,
            Some(_) => Trust::Changed,
            None => Trust::Unknown,
        })
    }

    /// Trusts a project as it is now.
    pub(crate) fn grant(&self, project: &Project) -> anyhow::Result<()> {
        let (name, entry) = (name(project)?, Entry { files: project.fingerprint(), at: now().0 });
        self.0.change(|kept: &mut Kept| {
            kept.refused.remove(&name);
            kept.folders.insert(name, entry);
        })
    }

    /// Keeps that the user does not trust a project as it is now.
    pub(crate) fn refuse(&self, project: &Project) -> anyhow::Result<()> {
        let (name, entry) = (name(project)?, Entry { files: project.fingerprint(), at: now().0 });
        self.0.change(|kept: &mut Kept| {
            kept.refused.insert(name, entry);
        })
    }

    /// Whether the user has said that a project is not trusted as it is now.
    pub(crate) fn is_refused(&self, project: &Project) -> anyhow::Result<bool> {
        let kept: Kept = self.0.read()?;
        let entry = project.root.to_str().and_then(|name| kept.refused.get(name));
        Ok(entry.is_some_and(|entry| entry.files == project.fingerprint()))
    }

    /// Trusts it no more. Whether it was trusted.
    pub(crate) fn withdraw(&self, project: &Project) -> anyhow::Result<bool> {
        let (name, mut was) = (name(project)?, false);
        self.0.change(|kept: &mut Kept| was = kept.folders.remove(&name).is_some())?;
        Ok(was)
    }
}

fn name(project: &Project) -> anyhow::Result<String> {
    let name = project.root.to_str().map(str::to_owned);
    name.with_context(|| format!("the path of {} is no UTF-8 text; rename it", project.root.display()))
}

/// `throughline trust`.
pub(crate) fn run(args: &TrustArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let file = TrustFile::in_folder(DataDir::new(data_dir.clone())?.root());
    let workspace = crate::compose::workspace(args.folder.as_deref())?;
    // Read before anything else in it is: a file with an error can still lose its trust.
    let project = Project::read(&workspace)?;
    let shown = plain(&project.root.display().to_string());
    if args.remove {
        let was = file.withdraw(&project)?;
        line(&if was {
            format!("{shown} is not trusted any more.")
        } else {
            format!("{shown} was not trusted.")
        });
        return Ok(());
    }
    let config = Config::load(Sources { workspace: Some(&workspace), data_dir, ..Sources::default() })?;
    file.grant(&config.project)?;
    line(&format!("{shown} is trusted, as long as its files stay as they are."));
    let held = config.held_back();
    if config.trust != Trust::Trusted && !held.is_empty() {
        line("From now on takes effect:");
        for text in held {
            line(&format!("  {}", plain(&text)));
        }
    }
    Ok(())
}
