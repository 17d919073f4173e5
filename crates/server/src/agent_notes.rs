//! Which texts in messages of the user are folded, because the agent has written them.

use throughline_conversation::{is_agent_note, is_wrapper};

/// Elements that agents insert into messages of the user, besides those of [`is_wrapper`]. What begins with another one is the
/// user's own, such as a question about markup.
const ELEMENTS: [&str; 28] = [
    "apps_instructions",
    "background-task",
    "collaboration_mode",
    "current_datetime",
    "ide_context",
    "ide_diagnostics",
    "ide_opened_file",
    "ide_selection",
    "instructions",
    "INSTRUCTIONS",
    "model_switch",
    "new-diagnostics",
    "personality_spec",
    "plugins_instructions",
    "post-tool-use-hook",
    "realtime_conversation",
    "recommended_plugins",
    "retrieval_status",
    "session-start-hook",
    "skill",
    "skills",
    "skills_instructions",
    "subagent_notification",
    "system_reminder",
    "system-reminders",
    "teammate-message",
    "user-prompt-submit-hook",
    "user_shell_command",
];

/// Returns true if a text in a message of the user is a note of the agent itself.
pub(crate) fn is_folded_note(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix('<') else { return is_agent_note(text) };
    let name = rest.split(|letter: char| letter.is_whitespace() || matches!(letter, '>' | '/')).next();
    name.is_some_and(|name| is_wrapper(name) || ELEMENTS.contains(&name))
}

#[cfg(test)]
mod tests;
