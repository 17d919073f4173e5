//! What the user reads of a sub-agent.

use super::shown_agent_result;

fn shown(tool: &str, result: &str) -> String {
    shown_agent_result(tool, result).unwrap()
}

#[test]
fn a_report_has_its_figures_and_no_session() {
    let figures = "[sub-agent dev:explore, session 01ab: 2 requests, 1 call, 1,234 tokens]";
    assert_eq!(
        shown("agent", &format!("The total is wrong.\nSee a.rs.\n{figures}")),
        "The total is wrong.\nSee a.rs.\n[2 requests, 1 call, 1,234 tokens]"
    );
    let stopped = format!(
        "The sub-agent did not end its task: cancelled.\nThe same call of agent continues it.\n{figures}"
    );
    assert_eq!(
        shown("agent", &stopped),
        "The sub-agent did not end its task: cancelled.\n[2 requests, 1 call, 1,234 tokens]"
    );
    assert_eq!(
        shown(
            "agent_output",
            &format!("Sub-agent 2 (explore: the total), session 01ab: has ended.\nDone.\n{figures}")
        ),
        "Sub-agent 2 (explore: the total) has ended.\nDone.\n[2 requests, 1 call, 1,234 tokens]"
    );
}

#[test]
fn one_in_the_background_says_only_that() {
    let begun = "Sub-agent 1 (explore: the total) works in the background as session 01ab.\nIts end is reported to you. \
                 agent_output reads its state, and waits for it with wait_seconds.";
    assert_eq!(shown("agent", begun), "in the background as sub-agent 1");
    let works = "Sub-agent 1 (explore: the total) works since 3 s: 1 request, 0 calls";
    assert_eq!(shown("agent_output", works), works);
    assert_eq!(shown_agent_result("shell", begun), None);
}
