//! Errors of models that call no tools.

/// Words of such errors, in lower case.
const WORDS: &[&str] = &[
    // Ollama, and servers in front of it.
    "does not support tools",
    "does not support tool use",
    "does not support function calling",
    // OpenRouter.
    "no endpoints found that support tool use",
    // Google, of Gemma.
    "function calling is not enabled",
];

/// The message, with what to do if the model calls no tools.
pub(super) fn with_hint(message: String) -> String {
    let lower = message.to_ascii_lowercase();
    if WORDS.iter().any(|words| lower.contains(words)) {
        return format!("{message} (continue with `--tools none`, or with another model)");
    }
    message
}
