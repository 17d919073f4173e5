//! A command that writes without end does not make the program grow.

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

/// KiB that the program may have held at most.
const MOST: u64 = 100 * 1024;

#[test]
fn a_gigabyte_of_output_leaves_the_memory_small() {
    let command = "yes 'a line of output that somebody may want to read' | head -c 1000000000";
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "shell", json!({"command": command, "timeout_seconds": 600})))
            .then(Answer::text("That was a lot.")),
    );
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (100, 30), &["--mode", "yolo"]);
    screen.shows(" · yolo");
    screen.say("Write a gigabyte.");
    screen.shows("That was a lot.");
    screen.idle();
    let status = std::fs::read_to_string(format!("/proc/{}/status", screen.pid())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < MOST, "{peak} KiB");
    // The model has its end and its size, and can read the rest.
    let body = server.received().last().unwrap().body.to_string();
    let lines = body.matches("a line of output").count();
    assert!(lines > 20 && body.len() < 200_000, "{lines} lines, {} bytes", body.len());
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
}
