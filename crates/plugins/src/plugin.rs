//! A plugin as read from its folder.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::error::{Attempt as _, PluginError, Result};
use crate::inside::{relative, text};
use crate::manifest::{MANIFEST, Manifest, Part};
use crate::part_files::{CommandFile, Found, commands, files, skills};

/// The variable that names the folder of a plugin in its commands and servers.
pub const ROOT_VARIABLE: &str = "CLAUDE_PLUGIN_ROOT";

/// A file of hooks or servers, or what the manifest has in place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginText {
    /// How the user knows it: the plugin and the file.
    pub place: String,
    /// Its text, in the form of `hooks.json` or `.mcp.json`.
    pub text: String,
}

/// A plugin and its parts. All paths are real ones inside of its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugin {
    /// Its name.
    pub name: String,
    /// Its version, as written.
    pub version: Option<String>,
    /// Its purpose.
    pub description: Option<String>,
    /// The name of its author.
    pub author: Option<String>,
    /// Its folder.
    pub root: PathBuf,
    /// Its commands, by name.
    pub commands: Vec<CommandFile>,
    /// The files of its sub-agents.
    pub agents: Vec<PathBuf>,
    /// The folders of its skills.
    pub skills: Vec<PathBuf>,
    /// The files of its output styles.
    pub output_styles: Vec<PathBuf>,
    /// Its hooks.
    pub hooks: Vec<PluginText>,
    /// Its MCP servers.
    pub servers: Vec<PluginText>,
    /// Parts that cannot be used, each with its place and the fix.
    pub notices: Vec<String>,
}

impl Plugin {
    /// Reads a plugin. A part that cannot be used is a notice, and the rest is read.
    ///
    /// # Errors
    /// The folder or its manifest cannot be used.
    pub fn read(root: &Path) -> Result<Self> {
        let root = root.canonicalize().attempt(|| format!("cannot read the plugin in {}", root.display()))?;
        let place = root.join(MANIFEST);
        let refused = |why: String| PluginError::refused(format!("{}: {why}", place.display()));
        let written = text(&root, Path::new(MANIFEST)).map_err(refused)?;
        let written = written.ok_or_else(|| refused("the file is missing; a plugin has one".to_owned()))?;
        let manifest = Manifest::parse(&written).map_err(refused)?;
        let Manifest { name, version, description, author, .. } = manifest.clone();
        let mut found = Found::default();
        let commands = commands(&mut found, &root, &manifest.commands);
        let agents = files(&mut found, &root, "agents", &manifest.agents);
        let output_styles = files(&mut found, &root, "output-styles", &manifest.output_styles);
        let skills = skills(&mut found, &root, &manifest.skills);
        let mut plugin = Self {
            hooks: Vec::new(),
            servers: Vec::new(),
            notices: found.notices.into_iter().map(|why| format!("plugin {name}: {why}")).collect(),
            name,
            version,
            description,
            author,
            root,
            commands,
            agents,
            skills,
            output_styles,
        };
        plugin.hooks = plugin.texts("hooks/hooks.json", "hooks", &manifest.hooks);
        plugin.servers = plugin.texts(".mcp.json", "mcpServers", &manifest.servers);
        Ok(plugin)
    }

    /// How the user knows a file of it.
    #[must_use]
    pub fn place(&self, file: &Path) -> String {
        let file = file.strip_prefix(&self.root).unwrap_or(file);
        format!("plugin {}: {}", self.name, throughline_text::plain(&file.display().to_string()))
    }

    /// Returns true if it has something that is run without a word of the model or the user.
    #[must_use]
    pub fn runs_something(&self) -> bool {
        !(self.hooks.is_empty() && self.servers.is_empty())
    }

    /// The name of an MCP server of it in a session, by which hooks and prompts of plugins name its tools.
    #[must_use]
    pub fn server_name(&self, written: &str) -> String {
        format!("plugin_{}_{written}", self.name)
    }

    /// The names of its MCP servers, as written. A file that is no plain JSON has none here.
    #[must_use]
    pub fn server_names(&self) -> Vec<String> {
        let objects = self.servers.iter().filter_map(|file| serde_json::from_str::<Value>(&file.text).ok());
        let names =
            objects.filter_map(|file| Some(file.get("mcpServers")?.as_object()?.keys().cloned().collect()));
        let mut names: Vec<String> = names.flat_map(|names: Vec<String>| names).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The texts of the default file, of the named ones, and of objects in the manifest.
    fn texts(&mut self, usual: &str, key: &str, named: &[Part]) -> Vec<PluginText> {
        let mut paths = vec![PathBuf::from(usual)];
        let mut texts = Vec::new();
        for part in named {
            match part {
                Part::Path(written) => match relative(written) {
                    Ok(path) if paths.contains(&path) => {}
                    Ok(path) => paths.push(path),
                    Err(why) => self.notice(&format!("{MANIFEST}, {key}: {why}")),
                },
                Part::Inline(value) => {
                    let place = self.place(Path::new(MANIFEST));
                    texts.push(PluginText { place, text: wrapped(value, key).to_string() });
                }
            }
        }
        for (index, path) in paths.iter().enumerate() {
            match text(&self.root, path) {
                Ok(Some(written)) => match serde_json::from_str::<Value>(&written) {
                    Ok(value) if !value.is_object() => {
                        self.notice(&format!("{}: an object is expected", path.display()));
                    }
                    Ok(value) => {
                        let text = wrapped(&value, key).to_string();
                        texts.push(PluginText { place: self.place(path), text });
                    }
                    // Text that is no plain JSON is left to the reader of the file, which names the fault.
                    Err(_) => texts.push(PluginText { place: self.place(path), text: written }),
                },
                Ok(None) if index == 0 => {}
                Ok(None) => self.notice(&format!("{MANIFEST}, {key}: there is no {}", path.display())),
                Err(why) => self.notice(&why),
            }
        }
        texts
    }

    fn notice(&mut self, why: &str) {
        self.notices.push(format!("plugin {}: {why}", self.name));
    }
}

/// The object below its key, which may be left out in plugins.
fn wrapped(value: &Value, key: &str) -> Value {
    match value {
        Value::Object(fields) if !fields.contains_key(key) => json!({ key: fields }),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
