//! Tests of tool names.

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
