//! Markdown files that are found by name: the user's, those of the project, and those of plugins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::places::SessionFolders;
use crate::plugin_parts::PluginParts;
use crate::reading::{FileText, read, real};
use crate::skills::{SkillOrigin, SkillProblem};

/// Maximum number of files of one folder.
pub(crate) const MAX_FILES: usize = 100;

/// What is found by name.
pub(crate) trait NamedFile {
    /// By this it is found.
    fn name(&self) -> &str;
    /// How user and model know its file.
    fn shown(&self) -> &str;
}

/// Where a file is.
#[derive(Debug)]
pub(crate) struct FoundFile<'a> {
    pub(crate) path: &'a Path,
    /// The real file must be in this folder.
    pub(crate) inside: &'a Path,
    pub(crate) origin: SkillOrigin,
    /// The plugin that it is of.
    pub(crate) plugin: Option<&'a PluginParts>,
    /// How user and model know it.
    pub(crate) shown: &'a str,
}

impl FoundFile<'_> {
    /// The text, in which the mark of a plugin's folder is replaced.
    pub(crate) fn text(&self) -> Result<String, String> {
        let file = real(self.path, self.inside).map_err(|why| why.to_string())?;
        let FileText { text, hidden, .. } = read(&file).map_err(|why| why.to_string())?;
        if hidden > 0 {
            return Err("it has more than a megabyte; shorten it".to_owned());
        }
        Ok(match self.plugin {
            Some(plugin) => plugin.filled(&text),
            None => text,
        })
    }

    /// The name of the file without its ending.
    pub(crate) fn stem(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The Markdown files of a folder, by name.
pub(crate) fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let is_markdown = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_markdown).collect();
    paths.sort();
    paths
}

/// Reads a file.
pub(crate) type ReadFile<T> = fn(&FoundFile<'_>) -> Result<T, String>;

/// The files by their names, and those that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedFiles<T> {
    items: BTreeMap<String, T>,
    problems: Vec<SkillProblem>,
}

impl<T> Default for NamedFiles<T> {
    fn default() -> Self {
        Self { items: BTreeMap::new(), problems: Vec::new() }
    }
}

impl<T: NamedFile> NamedFiles<T> {
    /// Looks into the folders of this name: `agents` in the user's configuration, `.claude/agents` in the home folder, both
    /// `.throughline/agents` and `.claude/agents` in each folder of a trusted project. Of two with the same name the first counts.
    pub(crate) fn discover(places: &SessionFolders, trusted: bool, folder: &str, read: ReadFile<T>) -> Self {
        let mut found = Self::default();
        let in_claude = Path::new(".claude").join(folder);
        if let Some(config) = places.config() {
            found.look_into(places, &config.join(folder), config, SkillOrigin::User, read);
        }
        if let Some(home) = places.home() {
            found.look_into(places, &home.join(&in_claude), home, SkillOrigin::User, read);
        }
        for above in places.folders().into_iter().rev().filter(|_| trusted) {
            for name in [&Path::new(".throughline").join(folder), &in_claude] {
                found.look_into(places, &above.join(name), places.root(), SkillOrigin::Project, read);
            }
        }
        found
    }

    /// Adds the files of a plugin.
    pub(crate) fn add_of_plugin(&mut self, plugin: &PluginParts, paths: &[PathBuf], read: ReadFile<T>) {
        for path in paths {
            let shown = plugin.shown(path);
            let file = FoundFile {
                path,
                inside: &plugin.root,
                origin: SkillOrigin::User,
                plugin: Some(plugin),
                shown: &shown,
            };
            self.take(read(&file), &shown);
        }
    }

    /// Adds one that counts only where no file has its name.
    pub(crate) fn add_default(&mut self, item: T) {
        self.items.entry(item.name().to_owned()).or_insert(item);
    }

    fn look_into(
        &mut self,
        places: &SessionFolders,
        folder: &Path,
        inside: &Path,
        origin: SkillOrigin,
        read: ReadFile<T>,
    ) {
        let mut paths = markdown_files(folder);
        if paths.len() > MAX_FILES {
            let why = format!("it has {} files; only the first {MAX_FILES} are read", paths.len());
            self.problem(&places.shown(folder), why);
            paths.truncate(MAX_FILES);
        }
        for path in paths {
            let shown = places.shown(&path);
            self.take(read(&FoundFile { path: &path, inside, origin, plugin: None, shown: &shown }), &shown);
        }
    }

    /// Adds what a file has.
    fn take(&mut self, read: Result<T, String>, shown: &str) {
        match read {
            Ok(item) => match self.items.get(item.name()) {
                Some(first) => {
                    let why =
                        format!("{} has the name {} already; rename one of them", first.shown(), item.name());
                    self.problem(shown, why);
                }
                None => drop(self.items.insert(item.name().to_owned(), item)),
            },
            Err(why) => self.problem(shown, why),
        }
    }

    fn problem(&mut self, place: &str, why: String) {
        self.problems.push(SkillProblem { place: place.to_owned(), why });
    }

    /// All of them, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.values()
    }

    /// The one of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.items.get(name)
    }

    /// Files that cannot be used.
    pub(crate) fn problems(&self) -> &[SkillProblem] {
        &self.problems
    }
}
