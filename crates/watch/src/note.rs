//! Texts in messages of the user that the user did not write.

/// The head of a restored context.
pub(crate) const CONTEXT_HEAD: &str = "[Previous Session Context]";

/// What OpenCode writes as a message of the user after a compaction.
const OPENCODE_CONTINUES: &str = "Continue if you have next steps, or stop and ask for clarification";

/// Returns true if a text in a message of the user is a note of the agent itself, or a context that was restored. Agents
/// write notes as elements of a markup, such as the output of `/compact`.
#[must_use]
pub fn is_agent_note(text: &str) -> bool {
    text.trim_start().starts_with('<') || is_inserted_text(text)
}

/// Returns true if a text is a context that was restored.
#[must_use]
pub fn is_restored_context(text: &str) -> bool {
    text.trim_start().starts_with(CONTEXT_HEAD)
}

/// Returns true if a text can only have been inserted: a restored context, or what OpenCode says for the user.
#[must_use]
pub fn is_inserted_text(text: &str) -> bool {
    is_restored_context(text) || text.trim_start().starts_with(OPENCODE_CONTINUES)
}
