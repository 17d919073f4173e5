//! A compaction that is looked at before it is made.

use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

#[test]
fn a_compaction_is_previewed_edited_and_applied() {
    let long =
        "The port in src/settings.rs is read by read_port_number, which nothing else calls. ".repeat(120);
    let mut script = Script::new();
    for _ in 0..5 {
        script = script.then(Answer::text(&long));
    }
    let notes = || Answer::text("### Now\nTalking of ports.\n### Done\nThe port was found.");
    let server = serve(script.then(notes()).then(notes()).then(Answer::text("A kestrel.")));
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 50), &[]);
    screen.ready();
    for _ in 0..5 {
        let before = server.received().len();
        screen.say("Where is the port?");
        screen.asked(&server, before + 1);
        screen.idle();
    }
    screen.say("/compact --preview");
    screen.shows("compact as shown");
    screen.key("Escape");
    screen.printed("Nothing changed.");
    screen.idle();
    assert_eq!(server.received().len(), 6, "the summary was asked for");

    screen.say("/compact --preview");
    let shown = screen.shows("edit the summary first");
    for part in
        ["Preview: nothing is compacted yet.", "would be written to the prompt cache again", "The summary:"]
    {
        assert!(screen.all().contains(part), "{part:?} is missing in:\n{shown}");
    }
    screen.key("Down");
    screen.key("Enter");
    screen.printed("Remember the kestrel.");
    screen.shows("compact as shown");
    screen.key("Enter");
    screen.printed("/undo --compaction reverts");
    screen.idle();
    let before = server.received().len();
    screen.say("Which bird?");
    screen.asked(&server, before + 1);
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Remember the kestrel."), "{body}");
}
