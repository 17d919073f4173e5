//! What is a name of the work.

use super::names;

#[test]
fn references_to_stored_results_are_none() {
    let text = "Use \"read_result\" with ref_id=\"r-0123456789abcdef\" to see build_index in src/a.rs.";
    assert_eq!(names(text).collect::<Vec<_>>(), ["build_index", "src/a.rs"]);
}
