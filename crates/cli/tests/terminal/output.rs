//! A command that writes without end does not make the program grow.

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

/// KiB by which the program may have grown at most. A build for tests touches some 20 MiB of its own code meanwhile.
const MAX_GROWTH_KIB: u64 = 60 * 1024;

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
    screen.shows(" YOLO ");
    let before = peak(&screen);
    screen.say("Write a gigabyte.");
    screen.shows("That was a lot.");
    screen.idle();
    let after = peak(&screen);
    assert!(after - before < MAX_GROWTH_KIB, "from {before} to {after} KiB");
    // The model has its end and its size, and can read the rest.
    let body = server.received().last().unwrap().body.to_string();
    let lines = body.matches("a line of output").count();
    assert!(lines > 20 && body.len() < 200_000, "{lines} lines, {} bytes", body.len());
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
}

/// KiB that the program has held at most so far.
fn peak(screen: &Tmux) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", screen.pid())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}
