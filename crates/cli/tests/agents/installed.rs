//! Which agents are installed.

use std::path::{Path, PathBuf};

/// An agent, as the suite gets it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Installed {
    /// Its name as a program, by which `watch` knows it.
    pub(crate) name: &'static str,
    /// The variable with the path of the program, or of the folder that has it under its name.
    variable: &'static str,
}

pub(crate) const CLAUDE: Installed = Installed { name: "claude", variable: "THROUGHLINE_CLAUDE_CODE" };
pub(crate) const CODEX: Installed = Installed { name: "codex", variable: "THROUGHLINE_CODEX" };
pub(crate) const OPENCODE: Installed = Installed { name: "opencode", variable: "THROUGHLINE_OPENCODE" };
pub(crate) const GEMINI: Installed = Installed { name: "gemini", variable: "THROUGHLINE_GEMINI_CLI" };

impl Installed {
    /// The program. `None`: it is not installed, which is said.
    pub(crate) fn program(self) -> Option<PathBuf> {
        let Some(path) = std::env::var_os(self.variable).map(PathBuf::from) else {
            println!("skipped: {}: {} names no program", self.name, self.variable);
            return None;
        };
        Some(if path.is_dir() { path.join(Path::new(self.name)) } else { path })
    }
}
