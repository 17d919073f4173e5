//! The table of engine tools.

use super::TOOLS;

#[test]
fn each_row_has_the_name_of_its_definition() {
    for tool in TOOLS {
        assert_eq!((tool.definition)().name, tool.name);
    }
}

#[test]
fn a_tool_that_reads_back_is_never_offloaded() {
    assert!(TOOLS.iter().all(|tool| tool.inline || !tool.retrieval));
}
