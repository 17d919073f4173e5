//! What a plugin has for the model: skills, kinds of sub-agents and output styles.

use std::path::{Path, PathBuf};

/// The skills, the kinds of sub-agents and the output styles of a plugin. Their names have the plugin's in front: `PLUGIN:NAME`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PluginParts {
    /// Its name.
    pub name: String,
    /// Its folder: the real path. Nothing outside of it is read.
    pub root: PathBuf,
    /// The folders of its skills.
    pub skills: Vec<PathBuf>,
    /// The files of its kinds of sub-agents.
    pub agents: Vec<PathBuf>,
    /// The files of its output styles.
    pub output_styles: Vec<PathBuf>,
    /// What means its folder in a text of it, such as `${PLUGIN_ROOT}`.
    pub root_mark: String,
}

impl PluginParts {
    /// A name as the model and the user know it.
    pub(crate) fn named(&self, name: &str) -> String {
        format!("{}:{name}", self.name)
    }

    /// A text with the path of the folder in it.
    pub(crate) fn filled(&self, text: &str) -> String {
        text.replace(&self.root_mark, &self.root.display().to_string())
    }

    /// How the user knows a file of it.
    pub(crate) fn shown(&self, file: &Path) -> String {
        let file = file.strip_prefix(&self.root).unwrap_or(file).to_string_lossy();
        format!("plugin {}: {}", self.name, throughline_text::sanitized(&file).replace(['\n', '\t'], " "))
    }
}
