//! The user's plugins: which are installed, and what the enabled ones have.

use std::path::Path;

use throughline_instructions::PluginParts;
use throughline_plugins::{Plugin, PluginHome, PluginRecord, ROOT_VARIABLE, Registry};
use throughline_text::error_chain;

use crate::error::{ConfigError, Result};
use crate::folders::config_folder;
use crate::hook_texts::HookText;
use crate::json_file::JsonFile;
use crate::project::server_lines;

/// The registry of plugins in the home of their copies, shared by all processes of this program.
#[derive(Debug, Clone)]
pub struct PluginFile {
    home: PluginHome,
    file: JsonFile,
}

impl PluginFile {
    /// The user's: `plugins` in the config folder. Commands of the model may read there and never write, as with the user's own skills.
    ///
    /// # Errors
    /// The user has no config folder.
    pub fn of_user() -> Result<Self> {
        let folder = config_folder().ok_or_else(|| {
            ConfigError::usage("there is no folder for plugins; set HOME or XDG_CONFIG_HOME")
        })?;
        Ok(Self::in_folder(&folder.join("plugins")))
    }

    /// The one in a folder, which need not exist.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        let home = PluginHome::new(folder);
        Self { file: JsonFile::new(home.registry_file()), home }
    }

    /// The home of the copies.
    #[must_use]
    pub fn home(&self) -> &PluginHome {
        &self.home
    }

    /// The registry; empty if there is no file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self) -> Result<Registry> {
        self.file.read()
    }

    /// Changes the registry atomically.
    ///
    /// # Errors
    /// The file cannot be read or written. Then it is unchanged.
    pub fn change(&self, change: impl FnOnce(&mut Registry)) -> Result<()> {
        self.file.change(change)
    }
}

/// An installed plugin.
#[derive(Debug, Clone)]
pub struct InstalledPlugin {
    /// Its name.
    pub name: String,
    /// What is recorded of it.
    pub record: PluginRecord,
    /// What its copy has, or why the copy cannot be used.
    pub plugin: Result<Plugin, String>,
}

impl InstalledPlugin {
    /// What it has, if sessions use it.
    #[must_use]
    pub fn used(&self) -> Option<&Plugin> {
        self.plugin.as_ref().ok().filter(|_| self.record.enabled)
    }

    /// Its state in one word.
    #[must_use]
    pub fn state(&self) -> &'static str {
        match (&self.plugin, self.record.enabled) {
            (Err(_), _) => "broken",
            (Ok(_), true) => "enabled",
            (Ok(_), false) => "disabled",
        }
    }
}

/// The installed plugins.
#[derive(Debug, Clone, Default)]
pub struct InstalledPlugins {
    /// By name.
    pub all: Vec<InstalledPlugin>,
    /// Why the registry cannot be read.
    problem: Option<String>,
}

impl InstalledPlugins {
    /// Reads the user's registry and the copies. It never fails: what cannot be used is a notice.
    #[must_use]
    pub fn of_user() -> Self {
        PluginFile::of_user().map_or_else(|_| Self::default(), |file| Self::read(&file))
    }

    pub(crate) fn read(file: &PluginFile) -> Self {
        let (home, registry) = match file.read() {
            Ok(registry) => (file.home(), registry),
            Err(error) => {
                let problem = Some(format!("plugins are not used: {}", error_chain(&error)));
                return Self { all: Vec::new(), problem };
            }
        };
        let installed = |(name, record): (String, PluginRecord)| {
            let plugin = Plugin::read(&home.copy_of(&name, &record)).map_err(|error| {
                format!(
                    "plugin {name} is not used: {}; `throughline plugin update {name}` copies it again",
                    error_chain(&error)
                )
            });
            InstalledPlugin { name, record, plugin }
        };
        Self { all: registry.plugins.into_iter().map(installed).collect(), problem: None }
    }

    /// What the enabled ones have.
    pub fn used(&self) -> impl Iterator<Item = &Plugin> {
        self.all.iter().filter_map(InstalledPlugin::used)
    }

    /// What of the enabled ones cannot be used, and why.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let of_one = |one: &InstalledPlugin| match &one.plugin {
            Ok(plugin) => plugin.notices.clone(),
            Err(why) => vec![why.clone()],
        };
        let enabled = self.all.iter().filter(|one| one.record.enabled).flat_map(of_one);
        self.problem.iter().cloned().chain(enabled).collect()
    }

    /// Their skills, kinds of sub-agents and output styles.
    pub(crate) fn parts(&self) -> Vec<PluginParts> {
        self.used().map(plugin_parts).collect()
    }
}

/// The skills, kinds of sub-agents and output styles of a plugin.
pub(crate) fn plugin_parts(plugin: &Plugin) -> PluginParts {
    PluginParts {
        name: plugin.name.clone(),
        root: plugin.root.clone(),
        skills: plugin.skills.clone(),
        agents: plugin.agents.clone(),
        output_styles: plugin.output_styles.clone(),
        root_mark: root_mark(),
    }
}

/// What means the folder of a plugin in its texts.
#[must_use]
pub fn root_mark() -> String {
    format!("${{{ROOT_VARIABLE}}}")
}

/// What a plugin would run: its hooks and its MCP servers, one per line.
#[must_use]
pub fn what_runs(plugin: &Plugin) -> Vec<String> {
    let hooks: Vec<HookText> = plugin.hooks.iter().map(HookText::of_plugin).collect();
    let mut lines = HookText::all_lines(&hooks);
    lines.extend(plugin.servers.iter().flat_map(|file| server_lines(&file.text, &file.place, usize::MAX)));
    lines
}

#[cfg(test)]
mod tests;
