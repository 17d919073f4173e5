//! Which code may build an agent.

use super::check;
use crate::tree::TextFile;

fn found(path: &str) -> Vec<String> {
    check(&[TextFile { path: path.to_owned(), text: "let agent = Agent::builder(model);".to_owned() }])
}

#[test]
fn a_program_that_builds_an_agent_is_a_violation() {
    assert_eq!(
        found("crates/chat/src/live.rs"),
        ["crates/chat/src/live.rs: names `Agent::builder`: open the session with throughline_session::open"]
    );
}

#[test]
fn tests_the_demo_and_the_library_may_build_one() {
    for path in
        ["crates/cli/tests/bodies/stage.rs", "crates/demo/src/worker.rs", "crates/session/src/open.rs"]
    {
        assert!(found(path).is_empty(), "{path}");
    }
}
