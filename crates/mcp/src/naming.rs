//! The names under which a model sees the tools of servers.

use sha2::{Digest, Sha256};
use throughline_text::cut_end;

/// The rule of the providers.
const LONGEST: usize = 64;

/// Most of a long server's name: the tool's own name must stay to be seen.
const SERVER: usize = 24;

/// `mcp__SERVER__TOOL`.
///
/// The name depends on the two names and on nothing else, so it is the same whatever other servers there are and
/// whichever answers first. Where a plain name would be too long, has characters that providers refuse, or could be
/// read as that of another pair, a hash of the pair ends it.
pub(crate) fn tool_name(server: &str, tool: &str) -> String {
    let (safe_server, safe_tool) = (safe(server), safe(tool));
    let plain = format!("mcp__{safe_server}__{safe_tool}");
    // The first double underscore behind the prefix ends the server's name.
    let ambiguous = safe_server.contains("__") || safe_server.ends_with('_');
    let same = safe_server == server && safe_tool == tool && !server.is_empty() && !tool.is_empty();
    if same && !ambiguous && plain.len() <= LONGEST {
        return plain;
    }
    let hash = hash(server, tool);
    let named = format!("mcp__{}__{safe_tool}", cut_end(&safe_server, SERVER));
    format!("{}_{hash}", cut_end(&named, LONGEST - 1 - hash.len()))
}

/// The name with an underscore for each character that providers refuse.
fn safe(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    name.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect()
}

fn hash(server: &str, tool: &str) -> String {
    // The length keeps the pairs (`ab`, `c`) and (`a`, `bc`) apart.
    let digest = Sha256::digest(format!("{}:{server}{tool}", server.len()));
    digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
