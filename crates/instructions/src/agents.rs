//! Kinds of sub-agents, of user and project: a Markdown file each, with front matter.

use crate::front_matter::{FrontMatter, flow_list, line_of, optional, parse, parse_of_plugin};
use crate::named_files::{FoundFile, NamedFile, NamedFiles};
use crate::places::SessionFolders;
use crate::plugin_parts::PluginParts;
use crate::skills::{SkillOrigin, SkillProblem};

/// The folder of their files.
pub(crate) const FOLDER: &str = "agents";

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

impl NamedFile for AgentKind {
    fn name(&self) -> &str {
        &self.name
    }

    fn shown(&self) -> &str {
        &self.shown
    }
}

/// All kinds of sub-agents, and files that cannot be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentKinds {
    kinds: NamedFiles<AgentKind>,
}

impl AgentKinds {
    /// Looks for kinds: the user's first, then the project's if it is trusted, then those of plugins. Of two with the same name the
    /// first counts.
    ///
    /// It never fails. Unusable files are listed in [`problems`](Self::problems).
    #[must_use]
    pub fn discover(places: &SessionFolders, trusted: bool, plugins: &[PluginParts]) -> Self {
        let mut kinds = NamedFiles::discover(places, trusted, FOLDER, open);
        for plugin in plugins {
            kinds.add_of_plugin(plugin, &plugin.agents, open);
        }
        Self { kinds }
    }

    /// The kinds, by name.
    pub fn iter(&self) -> impl Iterator<Item = &AgentKind> {
        self.kinds.iter()
    }

    /// The kind of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&AgentKind> {
        self.kinds.get(name)
    }

    /// Files that cannot be used.
    #[must_use]
    pub fn problems(&self) -> &[SkillProblem] {
        self.kinds.problems()
    }
}

fn open(file: &FoundFile<'_>) -> Result<AgentKind, String> {
    let text = file.text()?;
    let Some(plugin) = file.plugin else { return kind_of(&text, file.origin, file.shown) };
    let mut front = parse_of_plugin(&text, &file.stem()).map_err(|why| why.to_string())?;
    front.name = plugin.named(&front.name);
    kind_with(front, &text, file.origin, file.shown)
}

/// The kind of a file with this text.
fn kind_of(text: &str, origin: SkillOrigin, shown: &str) -> Result<AgentKind, String> {
    kind_with(parse(text).map_err(|why| why.to_string())?, text, origin, shown)
}

fn kind_with(front: FrontMatter, text: &str, origin: SkillOrigin, shown: &str) -> Result<AgentKind, String> {
    let FrontMatter { name, description, body, .. } = front;
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
