//! The pages as a user reads them.

use super::*;

#[test]
fn the_requests_of_sub_agents_are_a_part_of_all_requests_and_said_to_be_theirs() {
    let mut cost = Cost::default();
    (cost.requests, cost.side_requests) = (3, 2);
    let page = cost_page(&cost, "compatible/mock-1".to_owned());
    let row = |name: &str| {
        let line = page.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().next_back().unwrap_or_default().to_owned()
    };
    assert_eq!((row("requests"), row("of sub-agents")), ("5".to_owned(), "2".to_owned()), "{page}");
}
