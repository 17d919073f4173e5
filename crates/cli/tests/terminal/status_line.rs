//! The status line as its user sets it, and vim's keys in the input.

use std::fs;

use serde_json::Value;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (60, 15)];

/// A place with this section `[ui]` in the user's settings.
fn place(ui: &str) -> Place {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), format!("[ui]\n{ui}\n")).unwrap();
    place
}

fn last_row(screen: &str) -> &str {
    screen.lines().last().unwrap_or_default()
}

#[test]
fn the_parts_that_the_user_names_are_shown() {
    for (columns, rows) in SIZES {
        let place = place("status_line = [\"cost\", \"turn\", \"folder\", \"model\"]");
        let usage = Usage { input: 40_000, cache_read: 0, cache_write: 0, output: 60, searches: 0 };
        let server = serve(Script::new().then(Answer::text("Hello.").usage(usage)));
        let screen = Tmux::start(&place, &server, (columns, rows), &[]);
        screen.ready();
        screen.say("Hi.");
        screen.asked(&server, 1);
        let shown = screen.shows("turn $");
        let row = last_row(&shown);
        assert!(row.starts_with("ask  ") && row.contains('$'), "{columns}x{rows}: {shown}");
        assert!(row.contains("~/work · sonnet-4-5"), "{columns}x{rows}: {shown}");
        assert!(
            !row.contains(" of ") && row.chars().count() <= usize::from(columns),
            "{columns}x{rows}: {shown}"
        );
    }
}

#[test]
fn a_part_that_does_not_exist_is_refused_with_the_list() {
    let place = place("status_line = [\"context\", \"modell\"]");
    let ran = place.bare(&["config", "show"]).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!ran.status.success(), "{said}");
    for part in
        ["config.toml, line 2,", "\"modell\" is not one of context, compaction", "did you mean \"model\"?"]
    {
        assert!(said.contains(part), "{part:?} is missing in: {said}");
    }
}

#[test]
fn a_command_is_given_the_figures_and_its_first_line_is_shown() {
    for (columns, rows) in SIZES {
        let place = place(
            "status_command = \"cat > given.tmp; mv given.tmp given.json; echo first line; echo second\"",
        );
        let server = serve(Script::new().then(Answer::text("Hello.")));
        let screen = Tmux::start(&place, &server, (columns, rows), &[]);
        screen.ready();
        screen.shows("ask  first line");
        screen.say("Hi.");
        screen.asked(&server, 1);
        let shown = screen.shows("ask  first line");
        assert!(!shown.contains("second") && last_row(&shown) == "ask  first line", "{shown}");
        let given: Value =
            serde_json::from_str(&fs::read_to_string(place.work().join("given.json")).unwrap()).unwrap();
        assert_eq!(given["hook_event_name"], "Status");
        assert_eq!(given["permission_mode"], "ask");
        assert_eq!(given["workspace"]["current_dir"], place.work().canonicalize().unwrap().to_str().unwrap());
        assert!(given["context_window"]["context_window_size"].as_u64().unwrap() > 100_000, "{given}");
        assert!(given["session_id"].as_str().unwrap().starts_with("chat-"), "{given}");
    }
}

#[test]
fn a_command_that_fails_is_said_once_and_one_that_hangs_stops_no_key() {
    let failing = place("status_command = \"echo broken >&2; exit 3\"");
    let server = serve(Script::new().then(Answer::text("Hello.")));
    let screen = Tmux::start(&failing, &server, (160, 30), &[]);
    screen.ready();
    screen.printed("exited with status 3: broken");
    screen.say("Hi.");
    screen.asked(&server, 1);
    let all = screen.all();
    assert_eq!(all.matches("exited with status 3").count(), 1, "{all}");
    // The usual figures take its place.
    assert!(last_row(&screen.screen()).contains(" of "), "{all}");
    let hanging = place("status_command = \"sleep 60\"");
    let server = serve(Script::new().then(Answer::text("Hello.")));
    let screen = Tmux::start(&hanging, &server, (100, 30), &[]);
    screen.ready();
    screen.say("Typed at once.");
    screen.printed("Hello.");
}

#[test]
fn vims_keys_edit_the_input_and_its_mode_is_shown() {
    for size in SIZES {
        let place = place("keys = \"vim\"");
        let server = serve(Script::new().then(Answer::text("Sent.")).repeat_last());
        let screen = Tmux::start(&place, &server, size, &[]);
        screen.ready();
        screen.shows("ask  INSERT");
        assert!(last_row(&screen.screen()).starts_with("ask  INSERT"), "{}", screen.screen());
        screen.text("fix teh parser now");
        screen.key("Escape");
        screen.shows("ask  NORMAL");
        // The word, changed; the last one, deleted, and put back in front.
        screen.text("0wciwthe");
        screen.key("Escape");
        screen.text("$daw");
        screen.shows("› fix the parser");
        screen.text("2d");
        screen.shows("NORMAL 2d");
        screen.key("Escape");
        screen.text("u");
        screen.shows("› fix the parser now");
        screen.key("C-r");
        screen.text("I! ");
        screen.key("Escape");
        screen.text("0xx");
        screen.key("Enter");
        screen.asked(&server, 1);
        let body = server.received().last().unwrap().body.to_string();
        assert!(body.contains("\"fix the parser\""), "{body}");
        // A new input begins with text.
        let shown = screen.shows("ask  INSERT");
        assert!(shown.contains("Sent."), "{shown}");
    }
}

#[test]
fn escape_leaves_the_insert_mode_first_and_stops_the_turn_then() {
    let place = place("keys = \"vim\"");
    let waits = Answer::text("Too late.").wait_head(std::time::Duration::from_secs(60));
    let server = serve(Script::new().then(waits).then(Answer::text("Back.")));
    let screen = Tmux::start(&place, &server, (100, 30), &[]);
    screen.ready();
    screen.say("Begin.");
    screen.shows("esc stops");
    screen.key("Escape");
    let shown = screen.shows("ask  NORMAL");
    assert!(!shown.contains("Interrupted"), "{shown}");
    screen.key("Escape");
    screen.printed("Interrupted.");
    // A command is typed from the normal mode, too.
    screen.text("/vim");
    screen.key("Enter");
    screen.printed("Vim's keys are off");
    screen.idle();
    assert!(
        !screen.screen().contains("NORMAL") && !screen.screen().contains("INSERT"),
        "{}",
        screen.screen()
    );
}
