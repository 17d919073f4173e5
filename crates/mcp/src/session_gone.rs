//! How servers say that the session of the transport is gone.

/// Returns true if an error may say that the session of the transport is gone.
pub(crate) fn says_gone(said: &str) -> bool {
    const GONE: [&str; 9] =
        ["not found", "no valid", "invalid", "expired", "unknown", "exist", "missing", "required", "closed"];
    let said = said.to_ascii_lowercase();
    said.contains("session") && GONE.iter().any(|word| said.contains(word))
}

/// Returns true if an error says that and nothing else. A tool may speak of a session of its own.
pub(crate) fn begins_gone(said: &str) -> bool {
    const BEGINNINGS: [&str; 9] = [
        "session not found",
        "session expired",
        "session has expired",
        "session does not exist",
        "session id",
        "no valid session id",
        "invalid session id",
        "unknown session id",
        "mcp-session-id",
    ];
    let said = said.to_ascii_lowercase();
    let said = said.strip_prefix("bad request:").unwrap_or(&said).trim_start();
    let said = ["missing ", "invalid ", "missing or invalid ", "invalid or missing "]
        .iter()
        .find_map(|word| {
            said.strip_prefix(word)
                .filter(|rest| rest.starts_with("session id") || rest.starts_with("mcp-session-id"))
        })
        .unwrap_or(said);
    BEGINNINGS.iter().any(|beginning| said.starts_with(beginning))
}
