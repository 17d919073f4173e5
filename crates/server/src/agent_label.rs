//! How agents are called.

/// The name of an agent by the name of its format.
pub(crate) fn agent_label(format: &str) -> &str {
    let format = format.strip_suffix("-cli").unwrap_or(format);
    if format == "claude-code" { "claude" } else { format }
}
