//! The project that is worked in, and its files that say what may run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use sha2::{Digest as _, Sha256};
use throughline_instructions::{Places, SKILL_FILE, Skill, Skills, SkillsPolicy};

/// Larger files are no settings.
const MOST: u64 = 1024 * 1024;

/// A project: the folder with `.git` that is nearest above the workspace, or the workspace itself.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    /// Its folder, with all links followed.
    pub(crate) root: PathBuf,
    /// The text of `.throughline/config.toml`.
    pub(crate) config: Option<String>,
    /// The text of `.mcp.json`.
    pub(crate) mcp: Option<String>,
    /// Its skills, in the order of their names: where each is, and what its file says.
    pub(crate) skills: Vec<(String, Option<String>)>,
}

impl Project {
    /// Reads the files of the project that this workspace belongs to. They are read once: what is trusted is what is used.
    ///
    /// # Errors
    /// When a file is there and cannot be read.
    pub(crate) fn read(workspace: &Path) -> anyhow::Result<Self> {
        let places = Places::of(workspace, None);
        let root = places.root();
        Ok(Self {
            root: root.to_owned(),
            config: text(root, ".throughline/config.toml")?,
            mcp: text(root, ".mcp.json")?,
            skills: skills(&places),
        })
    }

    /// The file of its settings, as it is shown.
    pub(crate) fn config_name(&self) -> String {
        self.root.join(".throughline/config.toml").display().to_string()
    }

    /// The file of its MCP servers, as it is shown.
    pub(crate) fn mcp_name(&self) -> String {
        self.root.join(".mcp.json").display().to_string()
    }

    /// What its files say, as a number that nobody can make other files for.
    pub(crate) fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for text in [&self.config, &self.mcp] {
            let length = text.as_ref().map_or(u64::MAX, |text| text.len() as u64);
            hash.update(length.to_le_bytes());
            hash.update(text.as_deref().unwrap_or_default());
        }
        for part in self.skills.iter().flat_map(|(place, text)| [Some(place), text.as_ref()]) {
            hash.update(part.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
            hash.update(part.map(String::as_str).unwrap_or_default());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The project's skills as they would be used if it were trusted. One that cannot be read has no text; it is told when
/// skills are looked for.
fn skills(places: &Places) -> Vec<(String, Option<String>)> {
    let policy = SkillsPolicy { trusted: true, ..SkillsPolicy::default() };
    let found = Skills::discover(places, &policy);
    let read = |skill: &Skill| {
        let name = skill.folder.strip_prefix(places.root()).ok()?.join(SKILL_FILE);
        text(places.root(), name.to_str()?).ok().flatten()
    };
    found.iter().map(|skill| (skill.shown.clone(), read(skill))).collect()
}

/// The text of a file of the project; `None` when it is not there.
fn text(root: &Path, name: &str) -> anyhow::Result<Option<String>> {
    let path = root.join(name);
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let shown = path.display();
    let real = path.canonicalize().with_context(|| format!("cannot follow {shown}"))?;
    ensure!(real.starts_with(root), "{shown} leads out of the project; replace the link by a file");
    let metadata = fs::metadata(&real).with_context(|| format!("cannot read {shown}"))?;
    ensure!(metadata.is_file(), "{shown} is no file; remove it");
    ensure!(metadata.len() <= MOST, "{shown} is larger than {MOST} bytes; write less into it");
    fs::read_to_string(&real).map(Some).with_context(|| format!("cannot read {shown}"))
}
