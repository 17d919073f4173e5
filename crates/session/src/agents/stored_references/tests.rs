//! References in reports.

use super::*;

#[test]
fn references_of_a_report_are_found_once_each() {
    let text =
        "See r-0123456789abcdef, `r-0123456789abcdef` and (r-fedcba9876543210); not r-x or for-0123456789.";
    let names: Vec<String> = named(text).iter().map(ToString::to_string).collect();
    assert_eq!(names, ["r-0123456789abcdef", "r-fedcba9876543210"]);
}
