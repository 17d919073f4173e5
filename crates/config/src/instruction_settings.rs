//! The settings of rules, skills and output styles.

use std::path::PathBuf;

use throughline_instructions::{PluginParts, SkillsPolicy};

/// The name that means no output style.
pub const DEFAULT_STYLE: &str = "default";

/// The settings of rules, skills and output styles.
#[derive(Debug, Clone, Default)]
pub struct InstructionSettings {
    /// The user trusts the project, so its skills are used.
    pub trusted: bool,
    /// Names of rules files; if empty, the default ones.
    pub rule_files: Vec<String>,
    /// The name of the output style.
    pub output_style: Option<String>,
    /// More folders of skills.
    pub skill_folders: Vec<PathBuf>,
    /// Plugins with skills, kinds of sub-agents and output styles.
    pub plugins: Vec<PluginParts>,
}

impl InstructionSettings {
    /// Which skills a session may use; `more` are those of MCP servers.
    #[must_use]
    pub fn skills(&self, more: Vec<PluginParts>) -> SkillsPolicy {
        SkillsPolicy {
            trusted: self.trusted,
            more: self.skill_folders.clone(),
            plugins: self.plugins.iter().cloned().chain(more).collect(),
            ..SkillsPolicy::default()
        }
    }
}
