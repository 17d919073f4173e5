//! The settings of rules and skills.

use std::path::PathBuf;

use throughline_instructions::PluginParts;

/// The settings of rules and skills.
#[derive(Debug, Clone, Default)]
pub struct InstructionSettings {
    /// The user trusts the project, so its skills are used.
    pub trusted: bool,
    /// Names of rules files; if empty, the default ones.
    pub rule_files: Vec<String>,
    /// More folders of skills.
    pub skill_folders: Vec<PathBuf>,
    /// Plugins with skills and kinds of sub-agents.
    pub plugins: Vec<PluginParts>,
}
