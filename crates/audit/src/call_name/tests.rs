//! What calls are called.

use throughline_conversation::Message;
use throughline_testkit::parse;

use super::call_name;

/// The name of a call in at most 24 characters.
fn named(call: &str) -> String {
    let messages = parse(&format!("assistant:\n-> c1 {call}"));
    let call = messages.iter().flat_map(Message::tool_calls).next().unwrap();
    call_name(call, 24)
}

#[test]
fn a_long_path_is_cut_at_its_front() {
    assert_eq!(
        named("read {\"path\":\"/home/me/a long folder/src/bin/ledger.rs\"}"),
        "…older/src/bin/ledger.rs"
    );
    assert_eq!(
        named("edit {\"path\":\"/home/me/folder/src/bin/ledger.rs\",\"old\":\"a\",\"new\":\"b\"}"),
        "…older/src/bin/ledger.rs"
    );
    assert_eq!(named("read {\"path\":\"src/a.rs\"}"), "src/a.rs");
}

#[test]
fn a_long_command_is_cut_at_its_end() {
    assert_eq!(named("bash {\"command\":\"grep -rn heron src/birds tests\"}"), "grep -rn heron src/bird…");
}

#[test]
fn a_call_about_nothing_has_the_name_of_its_tool() {
    assert_eq!(named("list_tasks {}"), "list_tasks");
}
