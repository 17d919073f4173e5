//! Whole screens at four sizes, each looked at once and approved.

use std::time::Duration;

use expect_test::{ExpectFile, expect_file};
use serde_json::json;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script};

use crate::place::serve;
use crate::project::project;
use crate::tmux::Tmux;

/// What differs from run to run is put in one form: ids, ages and times.
fn normalised(screen: &str) -> String {
    let words = |line: &str| -> String {
        let mut out = String::new();
        for (at, part) in line.split("chat-").enumerate() {
            if at > 0 {
                out.push_str("chat-ID");
            }
            let id = if at > 0 {
                part.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(part.len())
            } else {
                0
            };
            out.push_str(&part[id..]);
        }
        out
    };
    // The turning mark turns, and a call shows its time only after a while.
    let still = |line: String| -> String {
        let turned = |letter: char| if ('\u{2800}'..='\u{28ff}').contains(&letter) { '⠿' } else { letter };
        let line: String = line.chars().map(turned).collect();
        // The second line names the folder of the test.
        let line = if line.starts_with("      /") { "      FOLDER".to_owned() } else { line };
        if line.trim_start().starts_with('●') { line.trim_end_matches(" Ns").to_owned() } else { line }
    };
    // A receipt is as wide as the screen, however long its time is.
    let ruled = |line: &str| {
        let receipt = line.starts_with("── ");
        if receipt { line.trim_end_matches('─').replace("<1s", "1s") } else { line.to_owned() }
    };
    let lines = screen.lines().map(|line| still(without_times(&words(&ruled(line)))));
    format!("{}\n", lines.collect::<Vec<_>>().join("\n"))
}

/// `1.4s`, `0s` and `12m` become `Ns`; what stands to the right of them stays in its column as far as it can.
fn without_times(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        let end =
            number.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(number.len());
        let (digits, after) = number.split_at(end);
        out.push_str(before);
        let alone = before.chars().next_back().is_none_or(|letter| letter == ' ');
        let unit = after.starts_with('s') && !after[1..].starts_with(|letter: char| letter.is_alphanumeric());
        if alone && unit {
            out.push('N');
        } else {
            out.push_str(digits);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn check(screen: &str, expected: &ExpectFile) {
    expected.assert_eq(&normalised(screen));
}

/// The page about the context, without what differs with the name of a folder: its figures, and the order of what is
/// nearly equal.
fn context(all: &str) -> String {
    let page = all.rsplit_once("Context  ").map(|(_, page)| page).unwrap();
    let figures = page.split("LARGEST").next().unwrap();
    figures.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect::<String>()
}

/// The screen from a line that was typed.
fn since<'a>(screen: &'a str, typed: &str) -> &'a str {
    screen.find(typed).map_or(screen, |at| &screen[at..])
}

struct Expected {
    question: ExpectFile,
    answer: ExpectFile,
    context: ExpectFile,
    diff: ExpectFile,
    undo: ExpectFile,
    resumed: ExpectFile,
    picker: ExpectFile,
}

/// The files of the screens at a size.
macro_rules! expected {
    ($size:literal) => {
        Expected {
            question: expect_file![concat!("screens/", $size, "/question.txt")],
            answer: expect_file![concat!("screens/", $size, "/answer.txt")],
            context: expect_file![concat!("screens/", $size, "/context.txt")],
            diff: expect_file![concat!("screens/", $size, "/diff.txt")],
            undo: expect_file![concat!("screens/", $size, "/undo.txt")],
            resumed: expect_file![concat!("screens/", $size, "/resumed.txt")],
            picker: expect_file![concat!("screens/", $size, "/picker.txt")],
        }
    };
}

fn screens(size: (u16, u16), expected: &Expected) {
    let usage =
        |read, write| Usage { input: 40, cache_read: read, cache_write: write, output: 60, searches: 0 };
    let edit = json!({"path": "src/lib.rs", "old_string": ".skip(1)", "new_string": ""});
    let text =
        "The first number was **skipped**:\n\n- `sum` adds all of them now\n- nothing else is changed\n";
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "read_file", json!({"path": "src/lib.rs"})).usage(usage(0, 4_600)))
            .then(Answer::call("c2", "edit_file", edit).usage(usage(4_600, 200)))
            .then(Answer::text(text).usage(usage(4_800, 200))),
    );
    let place = project();
    let screen = Tmux::start(&place, &server, size, &[]);
    screen.ready();
    screen.shows("◆");
    screen.say("Fix the sum.");
    // The first answer is chosen once somebody can have read the question.
    screen.shows("› y  yes");
    check(&screen.idle(), &expected.question);
    screen.answer("Apply this edit?", "y");
    screen.shows("nothing else is changed");
    check(&screen.idle(), &expected.answer);
    screen.say("/context");
    screen.shows("/context --all shows");
    screen.idle();
    check(&context(&screen.all()), &expected.context);
    screen.say("/diff");
    screen.shows("numbers.iter().sum()");
    check(since(&screen.idle(), "› /diff"), &expected.diff);
    screen.say("/undo");
    screen.shows("conversation only");
    check(since(&screen.idle(), "› /undo"), &expected.undo);
    screen.key("Escape");
    screen.shows("Nothing changed.");
    screen.idle();
    screen.say("/quit");
    assert_eq!(screen.ended(), 0);
    let again = Tmux::start(&place, &server, size, &["-c"]);
    again.shows("nothing else is changed");
    // The cost of the earlier run is added up after the session is shown.
    again.shows("$0.0");
    check(&again.idle(), &expected.resumed);
    again.say("/quit");
    assert_eq!(again.ended(), 0);
    let picking = Tmux::start(&place, &server, size, &["-r"]);
    picking.shows("the sum.");
    check(&picking.idle(), &expected.picker);
}

#[test]
fn on_a_small_terminal() {
    screens((80, 24), &expected!("80x24"));
}

#[test]
fn on_a_large_terminal() {
    screens((200, 50), &expected!("200x50"));
}

#[test]
fn on_a_narrow_terminal() {
    screens((50, 15), &expected!("50x15"));
}

#[test]
fn on_a_usual_window() {
    screens((120, 40), &expected!("120x40"));
}

#[test]
fn a_resize_leaves_nothing_behind() {
    let server = serve(Script::new().then(Answer::text("Here I am.")));
    let place = project();
    let screen = Tmux::start(&place, &server, (100, 30), &[]);
    screen.ready();
    screen.say("Where are you?");
    screen.shows("Here I am.");
    screen.idle();
    for size in [(60, 20), (140, 40), (41, 12), (100, 30)] {
        screen.resize(size.0, size.1);
        screen.text("x");
        screen.shows("› x");
        screen.key("BSpace");
        screen.idle();
    }
    // A new size is drawn a moment after it came.
    let all = screen.printed("Here I am.");
    // The live part is there once; every line of it that stayed behind would be another one.
    let status = all.lines().filter(|line| line.starts_with("ask  ")).count();
    assert_eq!((status, all.matches("Here I am.").count()), (1, 1), "{all}");
}

#[test]
fn a_resize_in_the_middle_of_an_answer_loses_and_doubles_nothing() {
    let paragraphs: Vec<String> = (1..=60)
        .map(|at| format!("p{at:02} a paragraph of some words, so that it wraps where it is narrow."))
        .collect();
    let answer = Answer::text(&paragraphs.join("\n\n")).pieces_of(24).wait_each(Duration::from_millis(25));
    let server = serve(Script::new().then(answer));
    let place = project();
    let screen = Tmux::start(&place, &server, (100, 30), &[]);
    screen.ready();
    screen.say("Tell me much.");
    for (seen, (columns, rows)) in
        [("p05", (60, 20)), ("p15", (140, 40)), ("p25", (50, 16)), ("p35", (120, 24)), ("p45", (80, 30))]
    {
        screen.printed(seen);
        screen.resize(columns, rows);
    }
    screen.shows("p60");
    screen.idle();
    let all = screen.all();
    for paragraph in &paragraphs {
        assert_eq!(all.matches(&paragraph[..4]).count(), 1, "{paragraph}:\n{all}");
    }
    assert_eq!(all.lines().filter(|line| line.starts_with("ask  ")).count(), 1, "{all}");
}
