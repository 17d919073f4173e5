//! Slash commands that are prompts: two built-in ones, and those of a trusted project in `.throughline/commands/*.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use throughline_commands::slash::is_command;
use throughline_config::{Config, Trust};
use throughline_text::headline;
use throughline_tui::CommandInfo;

/// The commands of every project: name, description and prompt. One of the project with the same name replaces it.
const BUILT_IN: [(&str, &str, &str); 2] = [
    ("init", "Write AGENTS.md: commands, layout and rules of this project", include_str!("prompts/init.md")),
    (
        "review",
        "Review the uncommitted changes, or a branch, commit or path",
        include_str!("prompts/review.md"),
    ),
];

/// Bytes of a prompt that is used.
const MAX_PROMPT_BYTES: u64 = 64 * 1024;
/// What a prompt names the text behind the command with.
const ARGUMENTS: &str = "$ARGUMENTS";

/// The prompts by their command, without the slash.
#[derive(Debug, Clone, Default)]
pub(super) struct CustomCommands(BTreeMap<String, String>);

impl CustomCommands {
    /// The built-in commands, and those of a project if it is trusted.
    pub(super) fn of(config: &Config) -> Self {
        let mut all: BTreeMap<String, String> =
            BUILT_IN.map(|(name, _, prompt)| (name.to_owned(), prompt.to_owned())).into();
        if config.trust == Trust::Trusted {
            all.extend(Self::read(&config.project.commands()).0);
        }
        Self(all)
    }

    fn read(files: &[PathBuf]) -> Self {
        let mut prompts = BTreeMap::new();
        for path in files {
            let is_prompt =
                path.metadata().is_ok_and(|file| file.is_file() && file.len() <= MAX_PROMPT_BYTES);
            let name = path.file_stem().and_then(|name| name.to_str());
            let is_word =
                |name: &&str| !name.contains(char::is_whitespace) && is_command(&format!("/{name}"));
            if let Some(name) = name.filter(|name| is_prompt && is_word(name))
                && let Ok(prompt) = fs::read_to_string(path)
            {
                prompts.insert(name.to_owned(), prompt);
            }
        }
        Self(prompts)
    }

    /// The message of a line that begins with such a command.
    pub(super) fn message(&self, line: &str) -> Option<String> {
        let (name, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let prompt = self.0.get(name.strip_prefix('/')?)?.trim_end();
        let rest = rest.trim();
        Some(match (prompt.contains(ARGUMENTS), rest.is_empty()) {
            (true, _) => prompt.replace(ARGUMENTS, rest),
            (false, true) => prompt.to_owned(),
            (false, false) => format!("{prompt}\n\n{rest}"),
        })
    }

    /// The commands, for completion.
    pub(super) fn rows(&self) -> impl Iterator<Item = CommandInfo> + '_ {
        self.0.iter().map(|(name, prompt)| CommandInfo {
            name: format!("/{name}"),
            arguments: if prompt.contains(ARGUMENTS) { "[TEXT]".to_owned() } else { String::new() },
            about: about(name, prompt),
            group: "this project".to_owned(),
            anytime: false,
        })
    }
}

/// One line about a command.
fn about(name: &str, prompt: &str) -> String {
    let own = BUILT_IN.iter().find(|(own, _, text)| *own == name && *text == prompt);
    own.map_or_else(|| headline(prompt, 60), |(_, about, _)| (*about).to_owned())
}

#[cfg(test)]
mod tests;
