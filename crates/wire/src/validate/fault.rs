//! A broken rule, and what counts as one.

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", prefix(path))]
pub struct WireFault {
    /// Where in the body, for example `messages.3.content.0`. Empty: the body as a whole.
    pub path: String,
    /// What is wrong, in the API's words where these are known.
    pub message: String,
}

/// What to think of two messages of one role in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alternation {
    /// It is a fault, as many gateways, local servers and older versions of the APIs have it.
    #[default]
    Strict,
    /// They are taken as one message.
    Merged,
}

fn prefix(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}: ") }
}
