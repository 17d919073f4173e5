//! The settings: defaults, the user's file, the project's, variables and options, each over the ones before.

use std::path::{Path, PathBuf};

use throughline_instructions::Skills;
use throughline_settings::{Flag, Layer, Origin, Renamed, Resolved, Scope, keys, resolve};
use throughline_store::DataDir;
use throughline_text::error_chain;
use throughline_tools::Launcher;

use crate::error::Result;
use crate::folders::{session_folders, without_tilde, workspace};
use crate::hook_texts::{self, HookText};
use crate::instruction_settings::{DEFAULT_STYLE, InstructionSettings};
use crate::layers::{command_line, environment, user};
use crate::plugins::InstalledPlugins;
use crate::project::Project;
use crate::storage_options::StorageOptions;
use crate::trust::{Trust, TrustFile};
use crate::usable;
use crate::user_commands::UserCommand;
use crate::without_effect;

/// Where settings come from.
#[derive(Debug, Clone, Default)]
pub struct ConfigSources<'a> {
    /// A file that is read instead of the user's own.
    pub file: Option<&'a Path>,
    /// The user's own files are not read.
    pub no_user_files: bool,
    /// The workspace; `None`: the current folder.
    pub workspace: Option<&'a Path>,
    /// The data folder; `None`: the user's own.
    pub data_dir: Option<PathBuf>,
    /// The project counts as trusted, whatever the user has decided.
    pub assume_trust: bool,
    /// Settings of the caller, which win over all others.
    pub flags: Vec<Flag>,
    /// Starts commands in the sandbox; `None`: this program cannot, so commands run without one.
    pub launcher: Option<Launcher>,
}

/// The effective settings, and the project that they are for.
#[derive(Debug, Clone)]
pub struct Config {
    /// The settings with their origins.
    pub resolved: Resolved,
    /// The project's files.
    pub project: Project,
    /// The user's own hooks, for all projects.
    pub user_hooks: Vec<HookText>,
    /// The user's own slash commands, for all projects.
    pub user_commands: Vec<UserCommand>,
    /// The user's plugins.
    pub plugins: InstalledPlugins,
    /// The name of the output style of a session that is opened; `None`: it has none.
    pub output_style: Option<String>,
    /// The user's decision about the project.
    pub trust: Trust,
    /// Starts commands in the sandbox.
    pub launcher: Option<Launcher>,
    /// The data folder; `None`: there is no place for it.
    pub data_dir: Option<PathBuf>,
}

impl Config {
    /// Reads and combines all sources.
    ///
    /// # Errors
    /// A setting that cannot be used, with its place and what would be right.
    pub fn load(sources: ConfigSources<'_>) -> Result<Self> {
        let workspace = workspace(sources.workspace)?;
        let mut project = Project::read(&workspace);
        let data = DataDir::place(sources.data_dir);
        let trust = match &data {
            _ if sources.assume_trust => Trust::Trusted,
            Some(data) => TrustFile::in_folder(data).of(&project)?,
            None => Trust::Unknown,
        };
        let user_hooks = match sources.file {
            None if sources.no_user_files => Vec::new(),
            file => hook_texts::of_user(file)?,
        };
        let user_commands = match sources.no_user_files {
            true => Vec::new(),
            false => UserCommand::all(sources.file),
        };
        let plugins = match sources.no_user_files {
            true => InstalledPlugins::default(),
            false => InstalledPlugins::of_user(),
        };
        let mut layers = match sources.file {
            None if sources.no_user_files => Vec::new(),
            file => user(file)?,
        };
        if let Some(text) = &project.config {
            match Layer::from_toml(Scope::Project, &project.config_name(), text) {
                Ok(layer) => layers.push(layer),
                Err(error) if trust == Trust::Trusted => return Err(error.into()),
                Err(error) => project.problems.push(error_chain(&error)),
            }
        }
        layers.push(environment()?);
        layers.push(command_line()?);
        layers.push(Layer::from_flags(sources.flags)?);
        let resolved = resolve(layers, trust == Trust::Trusted)?;
        usable::check(&resolved, |_| true)?;
        throughline_programs::distrust([workspace, project.root.clone()]);
        let launcher = sources.launcher;
        let output_style = resolved.get(keys::OUTPUT_STYLE).filter(|name| name != DEFAULT_STYLE);
        Ok(Self {
            resolved,
            project,
            user_hooks,
            user_commands,
            plugins,
            output_style,
            trust,
            launcher,
            data_dir: data,
        })
    }

    /// The fallbacks of the model: the caller's, else those of the settings.
    #[must_use]
    pub fn fallbacks(&self, named: &[String]) -> Vec<String> {
        if !named.is_empty() {
            return named.to_vec();
        }
        self.resolved.list(keys::FALLBACK).into_iter().map(|item| item.text).collect()
    }

    /// How the data folder is opened.
    #[must_use]
    pub fn storage(&self) -> StorageOptions {
        StorageOptions::of(&self.resolved)
    }

    /// Returns true if a session that waits for its user is compacted before its prompt cache expires, where that is cheapest.
    #[must_use]
    pub fn compacts_idle(&self) -> bool {
        self.resolved.get(keys::IDLE_COMPACTION).unwrap_or(true)
    }

    /// How often the prompt cache of a session that waits may be kept warm by a minimal request.
    #[must_use]
    pub fn keep_warm(&self) -> u64 {
        self.resolved.get(keys::KEEP_WARM).unwrap_or(0)
    }

    /// The settings of rules, skills and output styles.
    #[must_use]
    pub fn instructions(&self) -> InstructionSettings {
        let texts = |key| self.resolved.list(key).into_iter().map(|item| item.text);
        InstructionSettings {
            trusted: self.trust == Trust::Trusted,
            rule_files: texts(keys::RULE_FILES).collect(),
            output_style: self.output_style.clone(),
            skill_folders: texts(keys::SKILL_FOLDERS).map(|text| self.folder(&text)).collect(),
            plugins: self.plugins.parts(),
        }
    }

    /// The skills of a session in this workspace, without those of MCP servers.
    #[must_use]
    pub fn skills(&self) -> Skills {
        Skills::discover(&session_folders(&self.project.workspace), &self.instructions().skills(Vec::new()))
    }

    /// A folder of the settings: `~/` is the user's home, and a relative path begins at the project.
    #[must_use]
    pub fn folder(&self, text: &str) -> PathBuf {
        self.project.root.join(without_tilde(text))
    }

    /// What the user should know of the settings as written: parts of another program's configuration file that
    /// have no effect, choices by former names, settings without effect, and files of the project and plugins that cannot be used.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let renamed = self.resolved.renamed().iter().map(|one| {
            let Renamed { key, former, name, origin } = one;
            format!("{origin}: {former:?} is a former name of a choice of {key}: write {name:?}")
        });
        let plugins = self.plugins.notices();
        self.not_settings()
            .into_iter()
            .chain(self.unknown_variables())
            .chain(renamed)
            .chain(self.unusable())
            .chain(without_effect::notices(self))
            .chain(plugins)
            .collect()
    }

    /// The files of the project that cannot be used, one notice for each.
    pub fn unusable(&self) -> impl Iterator<Item = String> {
        self.project.problems.iter().map(|why| format!("not used, trusted or not: {why}"))
    }

    /// The parts of another program's configuration file that have no effect, as one notice.
    fn not_settings(&self) -> Option<String> {
        let mut of_files = self.resolved.ignored().iter().filter_map(|(name, origin)| match origin {
            Origin::File { file, .. } => Some((name.as_str(), file)),
            _ => None,
        });
        let (first, file) = of_files.next()?;
        let names: Vec<&str> = std::iter::once(first).chain(of_files.map(|(name, _)| name)).collect();
        Some(format!("ignored in {file}, because they are no settings here: {}", names.join(", ")))
    }

    /// Variables of the environment that look like settings and are none, as one notice.
    fn unknown_variables(&self) -> Option<String> {
        let all = self.resolved.ignored().iter();
        let names: Vec<&str> = all
            .filter(|(_, origin)| matches!(origin, Origin::Variable(_)))
            .map(|(name, _)| name.as_str())
            .collect();
        let are = if names.len() == 1 { "is no setting and has" } else { "are no settings and have" };
        (!names.is_empty()).then(|| format!("in the environment, {} {are} no effect", names.join(", ")))
    }

    /// The project's settings, servers and instructions that have no effect before the project is trusted, one per line.
    #[must_use]
    pub fn ignored(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .resolved
            .held()
            .iter()
            .map(|held| format!("{} = {} ({}): {}", held.key, held.shown, held.origin, held.why))
            .collect();
        if self.trust == Trust::Trusted {
            return lines;
        }
        if self.project.mcp.is_some() {
            lines.extend(self.project.servers());
        }
        lines.extend(HookText::lines(&self.project.hooks));
        lines.extend(self.project.instructions());
        lines
    }
}
