//! The settings: defaults, the user's file, the project's, variables and options, each over the ones before.

pub(crate) mod args;
mod choice;
mod model;
mod project;
mod show;
mod trust;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use throughline_settings::{Flag, Layer, Resolved, Scope, keys, resolve};
use throughline_store::DataDir;

use crate::connect::config_folder;
use crate::instructions::Wanted;

pub(crate) use choice::{Choice, policy_flag};
pub(crate) use project::Project;
pub(crate) use show::run as run_config;
pub(crate) use trust::{Trust, TrustFile, run as run_trust};

/// Skills of a project that are named before it is trusted.
const MOST_SKILLS: usize = 10;

/// Where settings come from.
#[derive(Debug, Default)]
pub(crate) struct Sources<'a> {
    /// A file that is read instead of the user's own.
    pub(crate) file: Option<&'a Path>,
    /// The folder that is worked in; `None`: the current one.
    pub(crate) workspace: Option<&'a Path>,
    /// The data folder, where it was named.
    pub(crate) data_dir: Option<PathBuf>,
    /// Options of the command line.
    pub(crate) flags: Vec<Flag>,
}

/// The settings that hold, and the project that they are for.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) resolved: Resolved,
    pub(crate) project: Project,
    pub(crate) trust: Trust,
}

impl Config {
    /// Reads all of them.
    ///
    /// # Errors
    /// The place of the first thing that cannot be used, and what would be right.
    pub(crate) fn load(sources: Sources<'_>) -> anyhow::Result<Self> {
        let workspace = crate::compose::workspace(sources.workspace)?;
        let project = Project::read(&workspace)?;
        let data = DataDir::place(sources.data_dir);
        let trust = match data {
            Some(data) => TrustFile::in_folder(&data).of(&project)?,
            None => Trust::Unknown,
        };
        let mut layers = user(sources.file)?;
        if let Some(text) = &project.config {
            layers.push(Layer::from_toml(Scope::Project, &project.config_name(), text)?);
        }
        layers.push(environment()?);
        layers.push(Layer::from_flags(sources.flags)?);
        let resolved = resolve(layers, trust == Trust::Trusted)?;
        Ok(Self { resolved, project, trust })
    }

    /// What is wanted of rules and skills. A folder begins at the project's own, unless it says otherwise.
    pub(crate) fn instructions(&self) -> Wanted {
        let texts = |key| self.resolved.list(key).into_iter().map(|item| item.text);
        Wanted {
            trusted: self.trust == Trust::Trusted,
            rule_files: texts(keys::RULE_FILES).collect(),
            skill_folders: texts(keys::SKILL_FOLDERS).map(|text| self.folder(&text)).collect(),
        }
    }

    /// A folder of the settings: `~/` is the user's home, and what is not absolute begins at the project.
    pub(crate) fn folder(&self, text: &str) -> PathBuf {
        match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
            (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
            _ => self.project.root.join(text),
        }
    }

    /// Lines that tell what of the project has no effect; none when all of it has.
    pub(crate) fn held_back(&self) -> Vec<String> {
        let mut told: Vec<String> = self
            .resolved
            .held()
            .iter()
            .map(|held| format!("{} = {} ({}): {}", held.key, held.shown, held.origin, held.why))
            .collect();
        if self.trust == Trust::Trusted {
            return told;
        }
        if self.project.mcp.is_some() {
            let why = "they could run a command, or send a key to a server of their choice";
            told.push(format!("the MCP servers of {}: {why}", self.project.mcp_name()));
        }
        for (place, _) in self.project.skills.iter().take(MOST_SKILLS) {
            told.push(format!("the skill in {place}: it tells the model what to do"));
        }
        if let Some(more) = self.project.skills.len().checked_sub(MOST_SKILLS).filter(|more| *more > 0) {
            told.push(format!("{more} more skills"));
        }
        told
    }
}

/// The user's files that are there. JSON is there for those who bring it along; TOML wins over it.
pub(crate) fn user_files() -> Vec<PathBuf> {
    let folder = config_folder().into_iter();
    folder.flat_map(|folder| [folder.join("config.json"), folder.join("config.toml")]).collect()
}

/// What holds where there is no project: the user's files and the variables.
fn of_user() -> anyhow::Result<Resolved> {
    let mut layers = user(None)?;
    layers.push(environment()?);
    Ok(resolve(layers, false)?)
}

fn environment() -> anyhow::Result<Layer> {
    let variables = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()));
    Ok(Layer::from_environment(variables)?)
}

fn user(named: Option<&Path>) -> anyhow::Result<Vec<Layer>> {
    let files = match named {
        Some(file) => vec![file.to_owned()],
        None => user_files().into_iter().filter(|file| file.exists()).collect(),
    };
    files.iter().map(|file| layer(file)).collect()
}

fn layer(file: &Path) -> anyhow::Result<Layer> {
    let shown = file.display().to_string();
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read the settings in {shown}"))?;
    let json = file.extension().is_some_and(|extension| extension == "json");
    let read = if json { Layer::from_json } else { Layer::from_toml };
    Ok(read(Scope::User, &shown, &text)?)
}
