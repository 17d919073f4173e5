//! Texts in messages of the user that the user did not write.

/// The head of a restored context.
pub const CONTEXT_HEAD: &str = "[Previous Session Context]";

/// What ends a restored context in a message of the user.
const CONTEXT_END: &str = "[End of Previous Session Context]";

/// In what Gemini CLI wraps the context of a hook.
const GEMINI_HOOK: &str = "<hook_context>";

/// What OpenCode writes as a message of the user after a compaction.
const OPENCODE_CONTINUES: &str = "Continue if you have next steps, or stop and ask for clarification";

/// Returns true if a text in a message of the user is a note of the agent itself, or a context that was restored. Agents
/// write notes as elements of a markup, such as the output of `/compact`.
#[must_use]
pub fn is_agent_note(text: &str) -> bool {
    text.trim_start().starts_with('<') || is_inserted_text(text)
}

/// Returns true if a text can only have been inserted: a restored context, or what OpenCode says for the user.
#[must_use]
pub fn is_inserted_text(text: &str) -> bool {
    own_text(text).is_empty() && is_restored(text) || text.trim_start().starts_with(OPENCODE_CONTINUES)
}

/// A text without the restored context that it begins with: the user may have written on after one that was put into the
/// input field.
#[must_use]
pub fn own_text(text: &str) -> &str {
    if !is_restored(text) {
        return text;
    }
    text.split_once(CONTEXT_END).map_or("", |(_, own)| own.trim())
}

/// A context to be put into an input field: what the user writes after it is the user's own.
#[must_use]
pub fn context_to_paste(text: &str) -> String {
    format!("{}\n{CONTEXT_END}\n", text.trim())
}

/// Returns true if a restored context is in a text. The head alone may be a quotation.
#[must_use]
pub fn has_context(text: &str) -> bool {
    text.match_indices(CONTEXT_HEAD).any(|(at, head)| {
        text.get(at + head.len()..).is_some_and(|rest| rest.trim_start().starts_with("Current task:"))
    })
}

fn is_restored(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix(GEMINI_HOOK).unwrap_or(text).trim_start().starts_with(CONTEXT_HEAD)
}

#[cfg(test)]
mod tests;
