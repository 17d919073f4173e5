//! Kinds of sub-agents, of user and project: a Markdown file each, with front matter.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::front_matter::{FrontMatter, flow_list, line_of, optional, parse, parse_of_plugin};
use crate::places::SessionFolders;
use crate::plugin_parts::PluginParts;
use crate::reading::{FileText, read, real};
use crate::skills::{SkillOrigin, SkillProblem};

/// Folders of agents in each folder of the project.
const PROJECT_FOLDERS: [&str; 2] = [".throughline/agents", ".claude/agents"];

/// The folder of agents in the user's configuration, and in the home folder.
const USER_FOLDER: &str = "agents";
const HOME_FOLDER: &str = ".claude/agents";

/// Maximum number of files of one folder.
const MAX_FILES: usize = 100;

/// Keys of the front matter that are settings of the same name, for sub-agents of the kind alone.
const SETTINGS: [(&str, &str); 2] = [("policy", "agent.policy"), ("economy", "agent.economy")];

/// A setting in a kind's front matter. Whether it can be used is not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindSetting {
    /// The key of the setting, such as `agent.policy`.
    pub key: &'static str,
    /// Its value as written.
    pub text: String,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A kind of sub-agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKind {
    /// Its name: 1 to 64 of `a-z`, `0-9` and `-`; of a plugin `PLUGIN:NAME`.
    pub name: String,
    /// When the model should use it, in one line.
    pub description: String,
    /// Its own part of the prompt.
    pub prompt: String,
    /// The tools that it has, by the names of the file; `None`: all.
    pub tools: Option<Vec<String>>,
    /// Its model, as `provider/model` or a name; `None`: that of the session.
    pub model: Option<String>,
    /// Maximum number of requests of a turn.
    pub max_requests: Option<u64>,
    /// Settings of its own.
    pub settings: Vec<KindSetting>,
    /// Whose it is.
    pub origin: SkillOrigin,
    /// How user and model know its file.
    pub shown: String,
}

/// All kinds of sub-agents, and files that cannot be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentKinds {
    kinds: BTreeMap<String, AgentKind>,
    problems: Vec<SkillProblem>,
}

impl AgentKinds {
    /// Looks for kinds: the user's first, then the project's if it is trusted, then those of plugins. Of two with the same name the
    /// first counts.
    ///
    /// It never fails. Unusable files are listed in [`problems`](Self::problems).
    #[must_use]
    pub fn discover(places: &SessionFolders, trusted: bool, plugins: &[PluginParts]) -> Self {
        let mut kinds = Self::default();
        if let Some(config) = places.config() {
            kinds.look_into(places, &config.join(USER_FOLDER), config, SkillOrigin::User);
        }
        if let Some(home) = places.home() {
            kinds.look_into(places, &home.join(HOME_FOLDER), home, SkillOrigin::User);
        }
        for folder in places.folders().into_iter().rev().filter(|_| trusted) {
            for name in PROJECT_FOLDERS {
                kinds.look_into(places, &folder.join(name), places.root(), SkillOrigin::Project);
            }
        }
        for plugin in plugins {
            for path in &plugin.agents {
                let shown = plugin.shown(path);
                kinds.take(open_of_plugin(path, plugin, &shown), shown);
            }
        }
        kinds
    }

    /// The kinds, by name.
    pub fn iter(&self) -> impl Iterator<Item = &AgentKind> {
        self.kinds.values()
    }

    /// The kind of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&AgentKind> {
        self.kinds.get(name)
    }

    /// Files that cannot be used.
    #[must_use]
    pub fn problems(&self) -> &[SkillProblem] {
        &self.problems
    }

    fn look_into(&mut self, places: &SessionFolders, folder: &Path, inside: &Path, origin: SkillOrigin) {
        let Ok(entries) = folder.read_dir() else { return };
        let is_kind = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_kind).collect();
        paths.sort();
        if paths.len() > MAX_FILES {
            let why = format!("it has {} files; only the first {MAX_FILES} are read", paths.len());
            self.problem(places.shown(folder), why);
            paths.truncate(MAX_FILES);
        }
        for path in paths {
            let shown = places.shown(&path);
            self.take(open(&path, inside, origin, &shown), shown);
        }
    }

    /// Adds what a file has.
    fn take(&mut self, read: Result<AgentKind, String>, shown: String) {
        match read {
            Ok(kind) => match self.kinds.get(&kind.name) {
                Some(first) => {
                    let why =
                        format!("{} has the name {} already; rename one of them", first.shown, kind.name);
                    self.problem(shown, why);
                }
                None => drop(self.kinds.insert(kind.name.clone(), kind)),
            },
            Err(why) => self.problem(shown, why),
        }
    }

    fn problem(&mut self, place: String, why: String) {
        self.problems.push(SkillProblem { place, why });
    }
}

fn open(path: &Path, inside: &Path, origin: SkillOrigin, shown: &str) -> Result<AgentKind, String> {
    kind_of(&text_of(path, inside)?, origin, shown)
}

/// The kind of a plugin's file, in which the mark of its folder is replaced.
fn open_of_plugin(path: &Path, plugin: &PluginParts, shown: &str) -> Result<AgentKind, String> {
    let text = plugin.filled(&text_of(path, &plugin.root)?);
    let file = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut front = parse_of_plugin(&text, &file).map_err(|why| why.to_string())?;
    front.name = plugin.named(&front.name);
    kind_with(front, &text, SkillOrigin::User, shown)
}

fn text_of(path: &Path, inside: &Path) -> Result<String, String> {
    let file = real(path, inside).map_err(|why| why.to_string())?;
    let FileText { text, hidden, .. } = read(&file).map_err(|why| why.to_string())?;
    if hidden > 0 {
        return Err("it has more than a megabyte; shorten it".to_owned());
    }
    Ok(text)
}

/// The kind of a file with this text.
fn kind_of(text: &str, origin: SkillOrigin, shown: &str) -> Result<AgentKind, String> {
    kind_with(parse(text).map_err(|why| why.to_string())?, text, origin, shown)
}

fn kind_with(front: FrontMatter, text: &str, origin: SkillOrigin, shown: &str) -> Result<AgentKind, String> {
    let FrontMatter { name, description, body } = front;
    let word = |key| optional(text, key).map_err(|why| why.to_string());
    let number = |key: &'static str| match word(key)? {
        None => Ok(None),
        Some(value) => match value.parse() {
            Ok(0) | Err(_) => Err(format!("{key} is {value:?}; write a whole number from 1 on")),
            Ok(number) => Ok(Some(number)),
        },
    };
    let max_requests = number("max_requests")?.or(number("maxTurns")?);
    let mut settings = Vec::new();
    for (name, key) in SETTINGS {
        if let (Some(value), Some(line)) = (word(name)?, line_of(text, name)) {
            settings.push(KindSetting { key, text: value, line });
        }
    }
    Ok(AgentKind {
        name,
        description,
        prompt: body,
        tools: flow_list(text, "tools")
            .map_or_else(|| word("tools"), |list| Ok(Some(list)))?
            .map(|list| names(&list))
            .filter(|list| !list.is_empty() && list != &["*"]),
        model: word("model")?.filter(|model| model != "inherit"),
        max_requests,
        settings,
        origin,
        shown: shown.to_owned(),
    })
}

/// The names of a list: with commas, in brackets, or as lines with a dash.
fn names(list: &str) -> Vec<String> {
    let separate = |letter: char| letter == ',' || letter.is_whitespace();
    let words = list.trim_matches(['[', ']']).split(separate).map(|word| word.trim_matches(['"', '\'']));
    words.filter(|word| !word.is_empty() && *word != "-").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
