//! What agents add to messages and results: elements around it, and the number of a result.

use std::borrow::Cow;

/// Names of elements with nothing of the user or of a tool in them.
const WHOLE: [&str; 17] = [
    "system-reminder",
    "environment_context",
    "untrusted_context",
    "session_context",
    "hook_context",
    "permissions",
    "user_instructions",
    "turn_aborted",
    "task-notification",
    "local-command-caveat",
    "local-command-stdout",
    "local-command-stderr",
    "command-name",
    "command-message",
    "command-args",
    "bash-stdout",
    "bash-stderr",
];

/// Names of elements around what a tool has said.
const AROUND: [&str; 3] = ["tool_use_error", "bash-input", "persisted-output"];

/// Begins the line with which Codex numbers a result.
const CODEX_NUMBER: &str = "Chunk ID: ";

/// Returns true if agents insert elements of this name into messages of the user and into results.
#[must_use]
pub fn is_wrapper(name: &str) -> bool {
    WHOLE.contains(&name) || AROUND.contains(&name)
}

/// A text without the elements that agents add by themselves: neither their names nor what is in them. Around what a tool has
/// said, only the marks are removed, and before it the number that Codex gives it. A command whose prompt Claude Code sends is what its
/// user typed: `/review the parser`.
#[must_use]
pub fn without_wrappers(text: &str) -> Cow<'_, str> {
    let numbered = text.strip_prefix(CODEX_NUMBER).and_then(|rest| rest.split_once('\n'));
    let text = numbered.map_or(text, |(_, said)| said);
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut text = typed_command(text).map_or(Cow::Borrowed(text), Cow::Owned);
    for name in WHOLE {
        let end = format!("</{name}>");
        while let Some((before, rest)) = opened(&text, name) {
            let after = rest.split_once(end.as_str()).map_or("", |(_, after)| after);
            text = Cow::Owned(format!("{before}{after}"));
        }
    }
    for name in AROUND {
        for mark in [format!("<{name}>"), format!("</{name}>")] {
            if text.contains(mark.as_str()) {
                text = Cow::Owned(text.replace(mark.as_str(), ""));
            }
        }
    }
    text
}

/// The command that a user of Claude Code has typed, and what is behind its elements. A command that sends its prompt begins with
/// its message, one that the program does by itself, such as `/clear`, with its name.
fn typed_command(text: &str) -> Option<String> {
    let (_, behind) = element(text, "command-message")?;
    let (name, behind) = element(behind, "command-name")?;
    let (arguments, behind) = element(behind, "command-args").unwrap_or(("", behind));
    let typed = format!("{} {}", name.trim(), arguments.trim());
    typed.starts_with('/').then(|| format!("{}{behind}", typed.trim_end()))
}

/// What is in the element of this name that a text begins with, and what is behind it.
fn element<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let inside = text.trim_start().strip_prefix(&format!("<{name}>"))?;
    inside.split_once(&format!("</{name}>"))
}

/// What is before an element of this name, and what is after its first mark.
fn opened<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices('<').find_map(|(at, _)| {
        let inside = text.get(at + 1..)?.strip_prefix(name)?;
        let attributes = inside.starts_with(['>', ' ']).then_some(inside)?;
        Some((text.get(..at)?, attributes.split_once('>')?.1))
    })
}

#[cfg(test)]
mod tests;
