//! Errors about the pictures of a request.

/// Words of errors about too many pictures, in lower case, by provider.
const TOO_MANY: &[&str] = &[
    // Anthropic, of a picture that is accepted among fewer pictures.
    "many-image",
    "too many images",
    // vLLM.
    "image(s) may be provided",
    "number of images",
    "total image",
];

/// Words of a server that takes no picture at all, in lower case. Some say it with a status of a fault of their own.
const NONE_AT_ALL: &[&str] = &[
    // llama.cpp ("… is not supported"), Ollama ("… required for image input", "does not support image input"), OpenRouter.
    "image input",
];

/// Words of what is no picture of the conversation, in lower case: a tool may be named after pictures.
const ELSEWHERE: &[&str] = &["schema", "tools.", "function '", "tool_choice"];

/// Returns true if a refused request has too many pictures.
pub(super) fn are_too_many(message: &str) -> bool {
    has(message, TOO_MANY)
}

/// Returns true if the server takes no pictures at all.
pub(super) fn are_never_taken(message: &str) -> bool {
    has(message, NONE_AT_ALL)
}

/// Words that name a picture. A word with a hyphen does not count: it is the name of a model or a tool.
const NAMED: &[&str] =
    &["image", "images", "picture", "pictures", "vision", "multimodal", "attachment", "attachments", "media"];

/// Returns true if a request is refused for a picture: the words name one.
pub(super) fn is_refused(message: &str) -> bool {
    let word = |word: &str| NAMED.contains(&word);
    let lower = message.to_ascii_lowercase();
    !has(message, ELSEWHERE)
        && lower.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').any(word)
}

fn has(message: &str, words: &[&str]) -> bool {
    let lower = message.to_ascii_lowercase();
    words.iter().any(|words| lower.contains(words))
}
