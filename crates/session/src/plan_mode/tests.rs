//! Which answers have a plan.

use super::has_plan;

#[test]
fn a_plan_has_its_own_heading_outside_of_code() {
    for plan in ["## Plan\n\n1. Change a.rs.", "I looked.\n\n## Plan  \n- one", "```\nx\n```\n## Plan\n1."] {
        assert!(has_plan(plan), "{plan}");
    }
    for other in
        ["## Planned maintenance\nOn Sunday.", "```md\n## Plan\n```\nis the heading.", "### Plan", "No."]
    {
        assert!(!has_plan(other), "{other}");
    }
}
