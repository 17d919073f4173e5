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
mod tests {
    use proptest::prelude::*;

    use super::tool_name;

    // S3-31
    #[test]
    fn plain_names_stay_readable() {
        assert_eq!(tool_name("github", "create_issue"), "mcp__github__create_issue");
        assert_eq!(tool_name("my-db", "Query-Rows"), "mcp__my-db__Query-Rows");
        assert_eq!(tool_name("a", "b__c"), "mcp__a__b__c");
    }

    #[test]
    fn other_names_end_in_a_hash() {
        let check = |server: &str, tool: &str, start: &str| {
            let name = tool_name(server, tool);
            assert!(name.starts_with(start) && name.len() <= 64, "{name}");
            assert_ne!(name, start);
        };
        check("git hub", "x", "mcp__git_hub__x_");
        check("a__b", "c", "mcp__a__b__c_");
        check("a_", "b", "mcp__a___b_");
        check("s", "tool.with.dots", "mcp__s__tool_with_dots_");
        check("s", "bell\u{7}", "mcp__s__bell__");
        check("s", "Größe", "mcp__s__Gr__e_");
        check("s", "", "mcp__s___");
        check(&"long".repeat(30), "still_seen", "mcp__longlonglonglonglonglong__still_seen_");
        check("s", &"x".repeat(200), "mcp__s__xxxxxxxx");
    }

    proptest! {
        #[test]
        fn every_name_is_safe_and_belongs_to_one_pair(
            first in ("[a_é-]{0,40}", "[a_.é-]{0,40}"),
            second in ("[a_é-]{0,40}", "[a_.é-]{0,40}"),
        ) {
            let (one, other) = (tool_name(&first.0, &first.1), tool_name(&second.0, &second.1));
            for name in [&one, &other] {
                prop_assert!((1..=64).contains(&name.len()), "{}", name);
                prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'), "{}", name);
            }
            prop_assert_eq!(one == other, first == second);
        }
    }
}
