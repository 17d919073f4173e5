//! Which texts in messages of the user are folded, because the agent has written them.

use throughline_conversation::is_agent_note;

/// Elements that agents insert into messages of the user. What begins with another one is the user's own, such as a question
/// about markup.
const ELEMENTS: [&str; 48] = [
    "apps_instructions",
    "background-task",
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "collaboration_mode",
    "command-args",
    "command-message",
    "command-name",
    "environment_context",
    "current_datetime",
    "hook_context",
    "ide_context",
    "ide_diagnostics",
    "ide_opened_file",
    "ide_selection",
    "instructions",
    "INSTRUCTIONS",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "model_switch",
    "new-diagnostics",
    "permissions",
    "persisted-output",
    "personality_spec",
    "plugins_instructions",
    "post-tool-use-hook",
    "realtime_conversation",
    "recommended_plugins",
    "retrieval_status",
    "session-start-hook",
    "session_context",
    "skill",
    "skills",
    "skills_instructions",
    "subagent_notification",
    "system-reminder",
    "system_reminder",
    "system-reminders",
    "task-notification",
    "teammate-message",
    "tool_use_error",
    "turn_aborted",
    "untrusted_context",
    "user-prompt-submit-hook",
    "user_instructions",
    "user_shell_command",
];

/// Returns true if a text in a message of the user is a note of the agent itself.
pub(crate) fn is_folded_note(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix('<') else { return is_agent_note(text) };
    let name = rest.split(|letter: char| letter.is_whitespace() || matches!(letter, '>' | '/')).next();
    name.is_some_and(|name| ELEMENTS.contains(&name))
}

#[cfg(test)]
mod tests;
