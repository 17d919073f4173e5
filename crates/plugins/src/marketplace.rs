//! A marketplace: a list of plugins in `.claude-plugin/marketplace.json`, each with its place.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::{Attempt as _, PluginError, Result};
use crate::inside::{relative, text};
use crate::manifest::word;
use crate::name::{RULE, is_name};
use crate::origin::{github, is_clonable};

/// The list, from the folder of the marketplace on.
pub(crate) const LIST: &str = ".claude-plugin/marketplace.json";

/// Where a plugin of a marketplace is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PluginSource {
    /// In the marketplace, from its folder on.
    Folder(PathBuf),
    /// In a Git repository.
    Git {
        /// Its address.
        url: String,
        /// A branch, a tag or a commit; `None`: what the repository shows first.
        reference: Option<String>,
        /// The folder in it; empty: the repository itself.
        folder: PathBuf,
    },
    /// In a place that cannot be used. The text says why, and what can.
    Unknown(String),
}

/// A plugin as listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPlugin {
    /// Its name.
    pub name: String,
    /// Its place.
    pub source: PluginSource,
    /// Its purpose.
    pub description: Option<String>,
    /// Its version, as listed.
    pub version: Option<String>,
    /// The whole entry, which is the manifest of a plugin that has no file of its own.
    pub(crate) entry: Map<String, Value>,
}

/// A marketplace as read from its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marketplace {
    /// Its name.
    pub name: String,
    /// The real path of its folder.
    pub root: PathBuf,
    /// Its plugins, in its order.
    pub plugins: Vec<ListedPlugin>,
    /// Entries that cannot be used, each with the fix.
    pub problems: Vec<String>,
}

impl Marketplace {
    /// Reads the list in a folder. An entry that cannot be used is a problem, and the rest is read.
    ///
    /// # Errors
    /// The list is missing, or cannot be used as a whole.
    pub fn read(root: &Path) -> Result<Self> {
        let root =
            root.canonicalize().attempt(|| format!("cannot read the marketplace in {}", root.display()))?;
        let place = root.join(LIST);
        let refused = |why: String| PluginError::refused(format!("{}: {why}", place.display()));
        let written = text(&root, Path::new(LIST)).map_err(refused)?;
        let written =
            written.ok_or_else(|| refused("the file is missing; a marketplace has one".to_owned()))?;
        let value: Value = serde_json::from_str(written.trim_start_matches('\u{feff}'))
            .map_err(|fault| refused(format!("no JSON: {fault}; correct it there")))?;
        let Value::Object(fields) = value else { return Err(refused("an object is expected".to_owned())) };
        let name = word(&fields, "name").map_err(refused)?;
        let name = name.ok_or_else(|| refused("the key \"name\" is missing; add it".to_owned()))?;
        if !is_name(&name) {
            return Err(refused(format!("name: {name:?} is no name of a marketplace; {RULE}")));
        }
        let Some(Value::Array(entries)) = fields.get("plugins") else {
            return Err(refused("plugins: a list of plugins is expected".to_owned()));
        };
        let below = fields.get("metadata").and_then(|metadata| metadata.get("pluginRoot")?.as_str());
        let below = below.map_or(Ok(PathBuf::new()), relative).map_err(refused)?;
        let mut marketplace = Self { name, root, plugins: Vec::new(), problems: Vec::new() };
        for (index, entry) in entries.iter().enumerate() {
            match listed(entry, &below) {
                Ok(plugin) if marketplace.find(&plugin.name).is_some() => {
                    let why = format!("plugins[{index}]: {} is listed already; remove one", plugin.name);
                    marketplace.problems.push(format!("{}: {why}", place.display()));
                }
                Ok(plugin) => marketplace.plugins.push(plugin),
                Err(why) => {
                    marketplace.problems.push(format!("{}: plugins[{index}]: {why}", place.display()));
                }
            }
        }
        Ok(marketplace)
    }

    /// The plugin of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&ListedPlugin> {
        self.plugins.iter().find(|plugin| plugin.name == name)
    }
}

fn listed(entry: &Value, below: &Path) -> Result<ListedPlugin, String> {
    let entry = entry.as_object().ok_or("an object is expected")?;
    let name = word(entry, "name")?.ok_or("the key \"name\" is missing; add it")?;
    if !is_name(&name) {
        return Err(format!("name: {name:?} is no name of a plugin; {RULE}"));
    }
    let source = source(entry.get("source"), below).unwrap_or_else(PluginSource::Unknown);
    let (description, version) = (word(entry, "description")?, word(entry, "version")?);
    Ok(ListedPlugin { name, source, description, version, entry: entry.clone() })
}

/// The place of a plugin.
fn source(value: Option<&Value>, below: &Path) -> Result<PluginSource, String> {
    let fields = match value {
        Some(Value::String(path)) => {
            let folder = relative(path).map_err(|why| format!("source: {why}"))?;
            return Ok(PluginSource::Folder(below.join(folder)));
        }
        Some(Value::Object(fields)) => fields,
        _ => return Err("source: a path such as ./plugins/one, or an object is expected".to_owned()),
    };
    let needed = |key: &str| word(fields, key)?.ok_or_else(|| format!("source.{key} is missing; add it"));
    let kind = word(fields, "source")?.unwrap_or_default();
    let url = match kind.as_str() {
        "github" => github(&needed("repo")?).ok_or("source.repo: OWNER/REPO is expected")?,
        "url" | "git-subdir" => needed("url")?,
        _ => {
            return Err(format!(
                "its source {kind:?} is not supported; a plugin comes from a path in the marketplace, \"github\", \"url\" or \"git-subdir\""
            ));
        }
    };
    is_clonable(&url)?;
    // The commit is more precise than the branch that it was on.
    let reference = word(fields, "sha")?.or(word(fields, "ref")?);
    if reference.as_ref().is_some_and(|name| name.starts_with('-') || name.contains(char::is_whitespace)) {
        return Err("source.ref: a branch, a tag or a commit is expected".to_owned());
    }
    let folder = match word(fields, "path")? {
        Some(path) => relative(&path).map_err(|why| format!("source.path: {why}"))?,
        None => PathBuf::new(),
    };
    Ok(PluginSource::Git { url, reference, folder })
}

impl std::fmt::Display for PluginSource {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(path) => write!(out, "./{}", path.display()),
            Self::Unknown(why) => out.write_str(why),
            Self::Git { url, reference, folder } => {
                out.write_str(url)?;
                if let Some(reference) = reference {
                    write!(out, "#{reference}")?;
                }
                if folder.as_os_str().is_empty() {
                    Ok(())
                } else {
                    write!(out, ", folder {}", folder.display())
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
