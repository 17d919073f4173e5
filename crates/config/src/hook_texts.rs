//! The hook files of a project and of the user.

use std::path::Path;

use serde_json::Value;
use throughline_hooks::{Hook, HookFile, HookOrigin};
use throughline_settings::keys;
use throughline_text::{cut_end, error_chain, headline};

use crate::config::Config;
use crate::error::{Attempt as _, ConfigError, Result};
use crate::folders::{config_folder, without_tilde};
use crate::trust::Trust;

/// The files of a project's hooks, from its folder on: the own one, and those of Claude Code.
pub(crate) const PROJECT_FILES: [&str; 3] =
    [".throughline/hooks.json", ".claude/settings.json", ".claude/settings.local.json"];

/// The user's settings file of Claude Code.
const CLAUDE_USER: &str = "~/.claude/settings.json";

/// Maximum number of hooks that are listed before a project is trusted, and characters of a command.
const MAX_LISTED: usize = 20;
const MAX_SHOWN: usize = 300;

/// A file of hooks as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookText {
    /// Its path, as shown.
    pub place: String,
    /// Its text; of a file of Claude Code the hooks alone.
    pub text: String,
    /// It belongs to Claude Code.
    pub foreign: bool,
}

impl HookText {
    /// The hooks of a file; `None`: it is a file of Claude Code without any. The rest of such a file may change at any time.
    pub(crate) fn of(place: String, text: String, foreign: bool) -> Option<Self> {
        if !foreign {
            return Some(Self { place, text, foreign });
        }
        let root: Value = serde_json::from_str(&text).ok()?;
        let hooks = root.get("hooks")?;
        let text = serde_json::json!({ "hooks": hooks }).to_string();
        Some(Self { place, text, foreign })
    }

    fn parsed(&self, origin: HookOrigin) -> Result<HookFile> {
        HookFile::parse(&self.place, &self.text, origin, self.foreign)
            .map_err(|error| ConfigError::usage(error.to_string()))
    }

    /// What the hooks of a file would run, one per line.
    pub(crate) fn lines(files: &[Self]) -> Vec<String> {
        let mut lines = Vec::new();
        for file in files {
            match file.parsed(HookOrigin::Project) {
                Ok(parsed) => lines.extend(parsed.hooks.iter().map(line)),
                Err(error) => lines.push(error_chain(&error)),
            }
        }
        if let Some(more) = lines.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
            lines.truncate(MAX_LISTED);
            lines.push(format!("{more} more hooks"));
        }
        lines
    }
}

fn line(hook: &Hook) -> String {
    let command = cut_end(&headline(&hook.command, MAX_SHOWN), MAX_SHOWN).to_owned();
    let matcher = if hook.matcher().is_empty() { String::new() } else { format!(" {}", hook.matcher()) };
    format!("the hook {}{matcher} ({}): it runs `{command}`", hook.event.name(), hook.place)
}

impl Config {
    /// The user's hooks and those of a trusted project, and what the user should know of entries without an effect.
    ///
    /// # Errors
    /// A file of hooks that cannot be used, with its place. A file of Claude Code that cannot be used is a notice.
    pub fn hooks(&self) -> Result<(Vec<Hook>, Vec<String>)> {
        let (mut hooks, mut notices) = (Vec::new(), Vec::new());
        let choice = self.resolved.get(keys::CLAUDE_HOOKS).unwrap_or_else(|| "project".to_owned());
        let user = self.user_hooks.iter().map(|text| (text, HookOrigin::User));
        let trusted = self.trust == Trust::Trusted;
        let project = self.project.hooks.iter().filter(|_| trusted).map(|text| (text, HookOrigin::Project));
        for (text, origin) in user.chain(project) {
            let wanted = match (text.foreign, origin) {
                (false, _) => true,
                (true, HookOrigin::Project) => choice != "off",
                (true, HookOrigin::User) => choice == "all",
            };
            if !wanted {
                continue;
            }
            match text.parsed(origin) {
                Ok(file) => {
                    hooks.extend(file.hooks);
                    notices.extend(file.ignored.into_iter().map(|why| format!("without effect in {why}")));
                }
                Err(error) if text.foreign => notices.push(format!("not used: {}", error_chain(&error))),
                Err(error) => return Err(error),
            }
        }
        Ok((hooks, notices))
    }
}

/// The user's hook files: `hooks.json` next to the settings, and the settings of Claude Code. With settings from a named file it
/// is the `hooks.json` next to that file.
///
/// # Errors
/// A file that exists cannot be read.
pub(crate) fn of_user(settings: Option<&Path>) -> Result<Vec<HookText>> {
    let own = match settings {
        Some(file) => Some(file.with_file_name("hooks.json")),
        None => config_folder().map(|folder| folder.join("hooks.json")),
    };
    let claude = without_tilde(CLAUDE_USER);
    let files = own.map(|path| (path, false)).into_iter();
    let files = files.chain(settings.is_none().then_some((claude, true)));
    let mut read = Vec::new();
    for (path, foreign) in files.filter(|(path, _)| path.exists()) {
        let shown = path.display().to_string();
        match std::fs::read_to_string(&path) {
            Ok(text) => read.extend(HookText::of(shown, text, foreign)),
            Err(_) if foreign => {}
            Err(error) => return Err(error).attempt(|| format!("cannot read the hooks in {shown}")),
        }
    }
    Ok(read)
}
