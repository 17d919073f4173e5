//! The hook files of a project and of the user.

use std::path::Path;

use serde_json::Value;
use throughline_hooks::{Hook, HookAction, HookFile, HookOrigin};
use throughline_plugins::PluginText;
use throughline_text::{cut_end, error_chain, headline};

use crate::error::{Attempt as _, ConfigError, Result};
use crate::folders::{config_folder, without_tilde};

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

    /// The hooks of a plugin, which was written for another program.
    pub(crate) fn of_plugin(file: &PluginText) -> Self {
        Self { place: file.place.clone(), text: file.text.clone(), foreign: true }
    }

    pub(crate) fn parsed(&self, origin: HookOrigin) -> Result<HookFile> {
        HookFile::parse(&self.place, &self.text, origin, self.foreign)
            .map_err(|error| ConfigError::usage(error.to_string()))
    }

    /// What the hooks of files would run, one per line.
    pub(crate) fn all_lines(files: &[Self]) -> Vec<String> {
        let mut lines = Vec::new();
        for file in files {
            match file.parsed(HookOrigin::Project) {
                Ok(parsed) => lines.extend(parsed.hooks.iter().map(line)),
                Err(error) => lines.push(error_chain(&error)),
            }
        }
        lines
    }

    /// The same, as long as a person reads it.
    pub(crate) fn lines(files: &[Self]) -> Vec<String> {
        let mut lines = Self::all_lines(files);
        if let Some(more) = lines.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
            lines.truncate(MAX_LISTED);
            lines.push(format!("{more} more hooks"));
        }
        lines
    }
}

fn line(hook: &Hook) -> String {
    let text = cut_end(&headline(hook.text(), MAX_SHOWN), MAX_SHOWN).to_owned();
    let matcher = if hook.matcher().is_empty() { String::new() } else { format!(" {}", hook.matcher()) };
    let does = match &hook.action {
        HookAction::Command(_) if hook.is_async => format!("it runs `{text}` in the background"),
        HookAction::Command(_) => format!("it runs `{text}`"),
        HookAction::Prompt(_) => format!("it asks the model of the session, which costs: {text}"),
        HookAction::Http(target) if target.variables.is_empty() => format!("it sends the event to {text}"),
        HookAction::Http(target) => {
            format!(
                "it sends the event to {text}, with these variables of yours: {}",
                target.variables.join(", ")
            )
        }
    };
    format!("the hook {}{matcher} ({}): {does}", hook.event.name(), hook.place)
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
