//! Which session is open: lists, copies, and one that another process has.

use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::run;
use crate::tmux::Tmux;

fn script() -> Script {
    Script::new()
        .then(Answer::text("Apples it is."))
        .then(Answer::text("Pears it is."))
        .then(Answer::text("Plums it is."))
}

fn ids(place: &Place) -> Vec<String> {
    let list = run(&mut place.bare(&["sessions", "--json"])).json();
    list.as_array().unwrap().iter().map(|one| one["session"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_session_is_chosen_from_a_list_and_found_by_its_title() {
    let (place, server) = (Place::new(), serve(script()));
    let screen = Tmux::start(&place, &server, (100, 30), &["Name a fruit for the apple cake."]);
    screen.shows("Apples it is.");
    screen.idle();
    screen.say("/clear");
    screen.shows("New session.");
    screen.say("Name a fruit for the pear tart.");
    screen.shows("Pears it is.");
    screen.idle();
    screen.say("/resume");
    let list = screen.shows("Resume a session");
    assert!(list.contains("apple cake") && list.contains("COST"), "{list}");
    screen.text("apple");
    screen.key("Enter");
    screen.shows("Apples it is.");
    screen.idle();
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
    // Words of a title are enough on the command line, too; an empty session is not saved.
    let again = Tmux::start(&place, &server, (100, 30), &["-r", "pear tart"]);
    again.shows("Pears it is.");
    again.idle();
    again.say("/clear");
    again.shows("New session.");
    again.key("C-d");
    assert_eq!(again.ended(), 0);
    assert_eq!(ids(&place).len(), 2);
}

#[test]
fn what_was_typed_comes_back_in_the_next_session() {
    let (place, server) = (Place::new(), serve(script()));
    let first = Tmux::start(&place, &server, (100, 30), &["Name a fruit for the apple cake."]);
    first.shows("Apples it is.");
    first.idle();
    first.say("/status");
    first.idle();
    first.key("C-d");
    assert_eq!(first.ended(), 0);
    let next = Tmux::start(&place, &server, (100, 30), &[]);
    next.ready();
    next.key("Up");
    next.shows("› /status");
    next.key("Up");
    next.shows("› Name a fruit for the apple cake.");
    next.key("Down");
    next.key("Down");
    next.key("C-r");
    next.text("apple");
    next.shows("Name a fruit for the apple cake.");
    next.key("Enter");
    next.key("Enter");
    next.shows("Pears it is.");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Name a fruit for the apple cake."), "{body}");
    next.idle();
    next.key("C-d");
    assert_eq!(next.ended(), 0);
}

#[test]
fn a_copy_goes_its_own_way() {
    let (place, server) = (Place::new(), serve(script()));
    let first = Tmux::start(&place, &server, (100, 30), &["Name a fruit."]);
    first.shows("Apples it is.");
    first.idle();
    // While it is open, no other process writes to it; the error names the way out.
    let refused = Tmux::start(&place, &server, (100, 30), &["-c"]);
    let said = refused.printed("--fork");
    assert!(said.contains("open in another process (throughline, process"), "{said}");
    assert_eq!(refused.ended(), 1);
    let copy = Tmux::start(&place, &server, (100, 30), &["-c", "--fork"]);
    copy.shows("Apples it is.");
    copy.idle();
    copy.say("Another one.");
    copy.shows("Pears it is.");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Apples it is."), "{body}");
    copy.idle();
    first.say("One more.");
    first.shows("Plums it is.");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Apples it is.") && !body.contains("Pears it is."), "{body}");
    for screen in [&copy, &first] {
        screen.idle();
        screen.key("C-d");
        assert_eq!(screen.ended(), 0);
    }
    assert_eq!(ids(&place).len(), 2);
}

// S3-03: the model that the user chose is the session's, also after a restart
#[test]
fn a_continued_session_keeps_its_model() {
    let (place, server) = (Place::new(), serve(script()));
    let screen = Tmux::start(&place, &server, (100, 30), &["Name a fruit."]);
    screen.shows("Apples it is.");
    screen.idle();
    screen.say("/model claude-haiku-4-5");
    screen.shows("haiku-4-5");
    screen.say("Another one.");
    screen.shows("Pears it is.");
    screen.idle();
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
    // Nothing on the command line names a model.
    let again = Tmux::start_with(&place, &server, (100, 30), &[], &["-c"]);
    again.shows("Pears it is.");
    again.shows("haiku-4-5");
    again.say("One more.");
    again.shows("Plums it is.");
    let models: Vec<String> =
        server.received().iter().map(|request| request.body["model"].as_str().unwrap().to_owned()).collect();
    assert_eq!(models, ["claude-sonnet-4-5", "claude-haiku-4-5", "claude-haiku-4-5"]);
}

#[test]
fn a_session_that_cannot_be_resumed_changes_no_model() {
    let (place, server) = (Place::new(), serve(script()));
    let other = Tmux::start(&place, &server, (100, 30), &["Name a fruit."]);
    other.shows("Apples it is.");
    other.idle();
    other.say("/model claude-haiku-4-5");
    other.shows("haiku-4-5 answers from now on");
    let id = ids(&place).remove(0);
    let screen = Tmux::start(&place, &server, (100, 30), &["Another one."]);
    screen.shows("Pears it is.");
    screen.idle();
    screen.say(&format!("/resume {id}"));
    screen.shows("open in another process");
    screen.say("/clear");
    screen.shows("New session.");
    screen.say("One more.");
    screen.shows("Plums it is.");
    assert_eq!(server.received().last().unwrap().body["model"], "claude-sonnet-4-5");
}

#[test]
fn the_open_session_is_not_in_the_list_and_a_search_takes_spaces() {
    let (place, server) = (Place::new(), serve(script()));
    let screen = Tmux::start(&place, &server, (100, 30), &["Name a fruit for the apple cake."]);
    screen.shows("Apples it is.");
    screen.idle();
    screen.say("/clear");
    screen.shows("New session.");
    screen.say("Name a fruit for the pear tart.");
    screen.shows("Pears it is.");
    screen.idle();
    screen.say("/resume");
    let list = screen.shows("Resume a session");
    let offered = |list: &str, title: &str| list.rsplit("TITLE").next().unwrap().contains(title);
    assert!(offered(&list, "apple cake") && !offered(&list, "pear tart"), "{list}");
    assert!(list.contains("last  Apples it is."), "{list}");
    screen.text("the apple");
    screen.shows("search: the apple");
    screen.key("Enter");
    screen.shows("Apples it is.");
}
