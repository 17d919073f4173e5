//! The skills of user and project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::front_matter::{FrontMatter, parse, parse_of_plugin};
use crate::places::SessionFolders;
use crate::plugin_parts::PluginParts;
use crate::reading::{FileText, read, real};
use crate::refusal::Refusal;

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// Folders of skills in the configuration.
const USER_FOLDER: &str = "skills";

/// The most entries of one folder.
pub(crate) const MOST_ENTRIES: usize = 500;

/// Problems reported at most.
const MOST_PROBLEMS: usize = 100;

/// Which files are searched, and how much of them is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillsPolicy {
    /// Folders of skills in each folder of the project.
    pub folders: Vec<String>,
    /// More folders of skills, wherever they are, that the user has named. A skill may not lead out of its folder.
    pub more: Vec<PathBuf>,
    /// Plugins with skills.
    pub plugins: Vec<PluginParts>,
    /// Whether the project's skills are used. The model follows them, so the project must be trusted.
    pub trusted: bool,
    /// Maximum characters of the list of all skills.
    pub list_chars: usize,
    /// Maximum characters of one skill's text.
    pub body_chars: usize,
    /// Maximum characters of the texts of all active skills together.
    pub active_chars: usize,
}

impl Default for SkillsPolicy {
    fn default() -> Self {
        let folders = [".throughline/skills", ".claude/skills", ".agents/skills"].map(str::to_owned).to_vec();
        Self {
            folders,
            more: Vec::new(),
            plugins: Vec::new(),
            trusted: false,
            list_chars: 8_000,
            body_chars: 20_000,
            active_chars: 60_000,
        }
    }
}

impl SkillsPolicy {
    /// Takes no more of a small window than is left for work: half a character for each of its tokens.
    #[must_use]
    pub fn within_window(self, tokens: u64) -> Self {
        let most = usize::try_from(tokens / 2).unwrap_or(usize::MAX);
        Self {
            list_chars: self.list_chars.min(most / 4),
            body_chars: self.body_chars.min(most),
            active_chars: self.active_chars.min(most),
            ..self
        }
    }
}

/// The owner of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkillOrigin {
    /// The user, in the configuration or in a folder that it names.
    User,
    /// The project.
    Project,
}

/// A skill that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name: 1 to 64 of `a-z`, `0-9` and `-`; of a plugin `PLUGIN:NAME`.
    pub name: String,
    /// Its purpose, in one line of at most 1,024 characters.
    pub description: String,
    /// Whose it is.
    pub origin: SkillOrigin,
    /// Its user may call it by its name, as a command.
    pub user_invocable: bool,
    /// Its folder: the real path.
    pub folder: PathBuf,
    /// How model and user know the folder.
    pub shown: String,
    /// What means the folder of its plugin in its text, and that folder; `None`: it is of no plugin.
    pub(crate) plugin: Option<Arc<PluginParts>>,
}

/// A folder that looks like a skill but cannot be read as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillProblem {
    /// Which one.
    pub place: String,
    /// Why it cannot be used, and the remedy.
    pub why: String,
}

/// All skills, as of the last search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skills {
    skills: BTreeMap<String, Skill>,
    problems: Vec<SkillProblem>,
}

impl Skills {
    /// Looks for skills: the user's first, then the project's, from the workspace up to its root, then those of plugins. Of two
    /// with the same name the first counts, so a project cannot replace a skill that the user wrote.
    ///
    /// It never fails. Unusable skills are listed in [`problems`](Self::problems).
    #[must_use]
    pub fn discover(places: &SessionFolders, policy: &SkillsPolicy) -> Self {
        let mut skills = Self::default();
        if let Some(config) = places.config() {
            skills.look_into(places, &config.join(USER_FOLDER), config, SkillOrigin::User);
        }
        for folder in &policy.more {
            match folder.canonicalize() {
                Ok(folder) => skills.look_into(places, &folder, &folder, SkillOrigin::User),
                Err(error) => skills.problem(places.shown(folder), Refusal::of(&error).to_string()),
            }
        }
        for folder in places.folders().into_iter().rev() {
            for name in &policy.folders {
                let folder = folder.join(name);
                if policy.trusted {
                    skills.look_into(places, &folder, places.root(), SkillOrigin::Project);
                } else if folder.is_dir() {
                    let why = "its skills are not used, because the project is not trusted";
                    skills.problem(places.shown(&folder), why);
                }
            }
        }
        for plugin in &policy.plugins {
            let plugin = Arc::new(plugin.clone());
            for folder in &plugin.skills {
                skills.take(
                    places,
                    open_of_plugin(folder, &plugin),
                    folder,
                    SkillOrigin::User,
                    Some(&plugin),
                );
            }
        }
        skills.problems.truncate(MOST_PROBLEMS);
        skills
    }

    /// The skills, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Skill> {
        self.skills.values()
    }

    /// The skill of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Skill> {
        self.skills.get(name)
    }

    /// Returns true if there are no skills.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.skills.len()
    }

    /// Skills that cannot be used.
    #[must_use]
    pub fn problems(&self) -> &[SkillProblem] {
        &self.problems
    }

    fn look_into(&mut self, places: &SessionFolders, folder: &Path, inside: &Path, origin: SkillOrigin) {
        // A missing folder is normal; one that cannot be read is reported.
        if folder.is_dir() && folder.read_dir().is_err() {
            self.problem(places.shown(folder), "it cannot be read");
        }
        let mut paths = inner_folders(folder);
        if paths.len() > MOST_ENTRIES {
            let why = format!("it has {} folders; only the first {MOST_ENTRIES} are looked at", paths.len());
            self.problem(places.shown(folder), why);
            paths.truncate(MOST_ENTRIES);
        }
        for path in paths {
            self.take(places, open(&path, inside), &path, origin, None);
        }
    }

    /// Adds the skill in a folder.
    fn take(
        &mut self,
        places: &SessionFolders,
        opened: Result<(PathBuf, FrontMatter), String>,
        path: &Path,
        origin: SkillOrigin,
        plugin: Option<&Arc<PluginParts>>,
    ) {
        match opened {
            Ok((folder, front)) => {
                let FrontMatter { name, description, user_invocable, .. } = front;
                let shown = places.shown(&folder);
                if let Some(first) = self.skills.get(&name) {
                    if first.folder != folder {
                        let why = format!("{} has the name {name} already; rename one of them", first.shown);
                        self.problem(shown, why);
                    }
                    return;
                }
                let plugin = plugin.cloned();
                let skill =
                    Skill { name: name.clone(), description, origin, user_invocable, folder, shown, plugin };
                self.skills.insert(name, skill);
            }
            Err(why) => {
                let file = path.join(SKILL_FILE);
                let place = plugin.map_or_else(|| places.shown(&file), |plugin| plugin.shown(&file));
                self.problem(place, why);
            }
        }
    }

    fn problem(&mut self, place: String, why: impl Into<String>) {
        self.problems.push(SkillProblem { place, why: why.into() });
    }
}

/// The folders in a folder, by name.
pub(crate) fn inner_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    paths.sort();
    paths
}

/// The real folder of a skill, and the content of its file.
fn open(path: &Path, inside: &Path) -> Result<(PathBuf, FrontMatter), String> {
    let text = |why: Refusal| why.to_string();
    let folder = path.canonicalize().map_err(|error| text(Refusal::of(&error)))?;
    if !folder.starts_with(inside) {
        return Err(text(Refusal::Outside));
    }
    let front = front_of(&folder, None)?;
    Ok((folder, front))
}

/// The same of a plugin, under its name.
fn open_of_plugin(folder: &Path, plugin: &PluginParts) -> Result<(PathBuf, FrontMatter), String> {
    let folder = real(folder, &plugin.root).map_err(|why| why.to_string())?;
    let front = front_of(&folder, Some(plugin))?;
    Ok((folder, front))
}

/// The content of a skill's file.
pub(crate) fn front_of(folder: &Path, plugin: Option<&PluginParts>) -> Result<FrontMatter, String> {
    let file = real(&folder.join(SKILL_FILE), folder).map_err(|why| why.to_string())?;
    let FileText { text, hidden, .. } = read(&file).map_err(|why| why.to_string())?;
    if hidden > 0 {
        return Err("it has more than a megabyte; put reference into files of their own".to_owned());
    }
    let Some(plugin) = plugin else { return parse(&text).map_err(|why| why.to_string()) };
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let front = parse_of_plugin(&plugin.filled(&text), &name).map_err(|why| why.to_string())?;
    Ok(FrontMatter { name: plugin.named(&front.name), ..front })
}

#[cfg(test)]
mod tests;
