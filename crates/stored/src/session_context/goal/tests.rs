//! Which request is the goal.

use super::{Requests, UserWords};

fn requests(texts: &[&str]) -> Requests {
    Requests::of(texts.iter().map(|text| UserWords::request((*text).to_owned())).collect())
}

#[test]
fn the_first_request_is_the_goal_until_a_substantial_one_comes() {
    assert_eq!(requests(&[]), Requests::default());
    let found = requests(&["port the parser", "use tabs", "commit"]);
    assert_eq!(
        (found.goal.as_str(), found.first.as_str(), found.last.as_str()),
        ("port the parser", "", "commit")
    );
    assert_eq!(found.between, ["use tabs"]);
    let plan = "Implement the following plan:\n1. lexer\n2. parser";
    let found = requests(&["port the parser", "use tabs", plan, "yes", "commit"]);
    assert_eq!(
        (found.goal.as_str(), found.first.as_str(), found.last.as_str()),
        (plan, "port the parser", "commit")
    );
    assert_eq!(found.between, ["use tabs", "yes"]);
    let long = "Now the printer. ".repeat(40);
    let found = requests(&[plan, "yes", &long]);
    assert_eq!(
        (found.goal.as_str(), found.first.as_str(), found.last.as_str()),
        (long.as_str(), plan, long.as_str())
    );
    let only = requests(&[plan]);
    assert_eq!((only.goal.as_str(), only.first.as_str(), only.between.len()), (plan, "", 0));
}

#[test]
fn what_is_said_within_a_tool_is_no_request_of_its_own() {
    let long = "Yes. ".repeat(100);
    let all = vec![
        UserWords::request("port the parser".to_owned()),
        UserWords::within_tool(long.clone()),
        UserWords::request("use tabs".to_owned()),
        UserWords::within_tool("not now".to_owned()),
    ];
    let found = Requests::of(all);
    assert_eq!((found.goal.as_str(), found.last.as_str()), ("port the parser", "use tabs"));
    assert_eq!(found.between, [long.as_str(), "not now"]);
}
