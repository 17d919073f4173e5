//! A server asks the user something while its tool runs.

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::run;
use crate::tmux::Tmux;

const ASKING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/asking_server.sh");

#[test]
fn a_server_asks_and_its_tool_gets_what_the_user_fills_in() {
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "mcp__tracker__file", json!({})))
            .then(Answer::text("It is filed."))
            .then(Answer::call("c2", "mcp__tracker__file", json!({})))
            .then(Answer::text("It is not filed.")),
    );
    let place = Place::new();
    run(&mut place.bare(&["mcp", "add", "tracker", "sh", ASKING])).done();
    let screen = Tmux::start(&place, &server, (100, 40), &["--allow", "mcp__tracker__file"]);
    screen.ready();
    screen.say("File it.");
    screen.shows("? tracker asks you  1 of 2");
    screen.answer("Where does the issue belong?", "North");
    screen.key("Enter");
    screen.shows("› 3  leave it out");
    screen.key("1");
    let shown = screen.shows("enter sends this");
    assert!(shown.contains("Project: North") && shown.contains("urgent: yes"), "{shown}");
    screen.key("Enter");
    screen.printed("It is filed.");
    screen.idle();
    let sent = server.received()[1].body.to_string();
    assert!(sent.contains("North") && sent.contains("accept"), "{sent}");

    screen.say("Once more.");
    screen.answer("? tracker asks you", "Escape");
    screen.printed("It is not filed.");
    let sent = server.received().last().unwrap().body.to_string();
    assert!(sent.contains("decline"), "{sent}");
}
