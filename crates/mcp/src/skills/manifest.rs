//! The list of a server's skills, checked.

use rmcp::model::{SKILL_MD, Skill, SkillResource, SkillResources};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::not_offered;
use crate::limits;
use crate::page_cursors::{NextPage, PageCursors};
use crate::remote_tool::quoted;

/// The skills of a server, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) skills: Vec<SkillEntry>,
}

/// A skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SkillEntry {
    /// Its name, which is the name of its folder.
    pub(super) name: String,
    /// Its files, with the entry.
    pub(super) files: Vec<SkillFile>,
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SkillFile {
    pub(super) uri: String,
    /// From the folder of the skill on.
    pub(super) path: String,
    /// `sha256:` and its digits; empty: the server promises none.
    digest: String,
    size: u64,
}

impl Manifest {
    /// Returns true if each file is promised, so that an equal list means equal files.
    pub(super) fn is_promised(&self) -> bool {
        self.skills.iter().flat_map(|skill| &skill.files).all(|file| !file.digest.is_empty())
    }

    /// The skills of which another list had other files.
    pub(super) fn changed_since<'a>(&'a self, old: &'a Self) -> impl Iterator<Item = &'a str> {
        let was = |new: &SkillEntry| old.skills.iter().find(|old| old.name == new.name);
        let changed = self.skills.iter().filter(move |new| was(new).is_some_and(|old| old != *new));
        changed.map(|skill| skill.name.as_str())
    }
}

impl SkillFile {
    /// The file that makes a folder a skill.
    pub(super) const ENTRY: &str = SKILL_MD;

    /// Fails with the reason if these are not the bytes that the list promises.
    pub(super) fn verify(&self, bytes: &[u8]) -> Result<(), String> {
        if self.digest.is_empty() {
            return Ok(());
        }
        let promised = SkillResource::new(self.uri.clone(), self.digest.clone(), self.size);
        promised.verify(bytes).map_err(|error| error.to_string())
    }
}

/// Collects pages until the last one or a limit.
#[derive(Debug, Default)]
pub(super) struct ManifestReader {
    manifest: Manifest,
    notes: Vec<String>,
    cursors: PageCursors,
    bytes: u64,
}

impl ManifestReader {
    /// Adds a page. Returns the cursor of the next one.
    pub(super) fn add_page(&mut self, page: &Value) -> Option<String> {
        for entry in page.get("skills").and_then(Value::as_array).into_iter().flatten() {
            let name = entry.pointer("/frontmatter/name").and_then(Value::as_str).unwrap_or_default();
            match self.read(entry) {
                Ok(skill) => self.manifest.skills.push(skill),
                Err(why) => self.notes.push(not_offered(name, &why)),
            }
        }
        match self.cursors.next(page) {
            NextPage::Last => None,
            NextPage::At(cursor) => Some(cursor),
            NextPage::Truncated(reason) => {
                self.notes.push(format!("its list of skills is truncated: {reason}"));
                None
            }
        }
    }

    fn read(&mut self, entry: &Value) -> Result<SkillEntry, String> {
        let skill: Skill = serde_json::from_value(entry.clone()).map_err(|error| error.to_string())?;
        skill.validate().map_err(|error| error.to_string())?;
        let name = skill.name().to_owned();
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
            return Err("its name is not 1 to 64 of a-z, 0-9 and -".to_owned());
        }
        if self.manifest.skills.iter().any(|known| known.name == name) {
            return Err("another one has its name".to_owned());
        }
        if self.manifest.skills.len() >= limits::SKILLS {
            return Err(format!("a server may have at most {}", limits::SKILLS));
        }
        let base = skill.uri.strip_suffix(SKILL_MD).unwrap_or(&skill.uri);
        let files = match &skill.resources {
            SkillResources::Files(files) => {
                let read = |file: &SkillResource| of_resource(file, base);
                files.iter().map(read).collect::<Result<Vec<_>, _>>()?
            }
            // Its files change, and none is promised.
            _ => vec![SkillFile {
                uri: skill.uri.clone(),
                path: SKILL_MD.to_owned(),
                digest: String::new(),
                size: 0,
            }],
        };
        if files.len() > limits::SKILL_FILES {
            return Err(format!("it has {} files; at most {} may be", files.len(), limits::SKILL_FILES));
        }
        self.bytes = files.iter().fold(self.bytes, |bytes, file| bytes.saturating_add(file.size));
        if self.bytes > limits::SKILL_BYTES {
            return Err(format!("all skills have more than {} bytes", limits::SKILL_BYTES));
        }
        Ok(SkillEntry { name, files })
    }

    /// The list, and notes about what is not in it.
    pub(super) fn finish(self) -> (Manifest, Vec<String>) {
        (self.manifest, self.notes)
    }
}

/// A file below the address of its skill.
fn of_resource(file: &SkillResource, base: &str) -> Result<SkillFile, String> {
    let SkillResource { uri, digest, size, .. } = file;
    let path = uri.strip_prefix(base).unwrap_or_default().to_owned();
    let plain =
        |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0', '%', '?', '#']);
    if !path.split('/').all(plain) {
        return Err(format!("the path of its file {} cannot be used", quoted(uri)));
    }
    Ok(SkillFile { uri: uri.clone(), path, digest: digest.clone(), size: *size })
}

#[cfg(test)]
mod tests;
