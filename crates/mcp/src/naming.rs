//! The names of the servers' tools for the model.

use sha2::{Digest, Sha256};
use throughline_text::{cut_end, hexadecimal};

/// Longest name that providers accept.
const MAX_NAME: usize = 64;

/// Maximum bytes of the server's name, so that the tool's own name stays visible.
const MAX_SERVER: usize = 24;

/// `mcp__SERVER__TOOL`.
///
/// The name depends on the two names only, not on other servers or the order of their answers. If a plain name would be too
/// long, has characters that providers reject, or is ambiguous, it ends with a hash of the pair.
pub(crate) fn tool_name(server: &str, tool: &str) -> String {
    let (safe_server, safe_tool) = (safe(server), safe(tool));
    let plain = format!("mcp__{safe_server}__{safe_tool}");
    // The first double underscore after the prefix ends the server's name.
    let ambiguous = safe_server.contains("__") || safe_server.ends_with('_');
    let same = safe_server == server && safe_tool == tool && !server.is_empty() && !tool.is_empty();
    if same && !ambiguous && plain.len() <= MAX_NAME {
        return plain;
    }
    let hash = hash(server, tool);
    let named = format!("mcp__{}__{safe_tool}", cut_end(&safe_server, MAX_SERVER));
    format!("{}_{hash}", cut_end(&named, MAX_NAME - 1 - hash.len()))
}

/// Replaces each character that providers reject by an underscore.
fn safe(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    name.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect()
}

fn hash(server: &str, tool: &str) -> String {
    // The length distinguishes the pairs (`ab`, `c`) and (`a`, `bc`).
    let digest = Sha256::digest(format!("{}:{server}{tool}", server.len()));
    hexadecimal(digest.iter().take(4))
}

#[cfg(test)]
mod tests;
