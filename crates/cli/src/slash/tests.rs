//! Commands as they are typed.

use throughline_conversation::ExchangeId;

use super::*;

fn ask(line: &str) -> Ask {
    match parse(line).unwrap() {
        Slash::Ask(ask) => ask,
        other => panic!("{other:?}"),
    }
}

// S4-13 S4-15 S4-16 S4-17 S4-18 S4-24
#[test]
fn commands_are_read() {
    let group = ExchangeId(7);
    let remove = |yes| Ask::Remove { group: Some(group), yes };
    let pad = |what| Ask::Document { name: DocumentName::Scratchpad, what };
    for (line, expected) in [
        ("/undo", Ask::Change(Change::Undo)),
        ("/undo --compaction", Ask::Change(Change::UndoCompaction)),
        ("/undo --purge --yes", Ask::Remove { group: None, yes: true }),
        ("/redo", Ask::Change(Change::Redo)),
        ("/redo --compaction", Ask::Change(Change::RedoCompaction)),
        ("/messages", Ask::List { most: 20 }),
        ("/message list", Ask::List { most: 20 }),
        ("/messages list 5", Ask::List { most: 5 }),
        ("/message show 7", Ask::Show { group }),
        ("/message remove 7", remove(false)),
        ("/messages remove 7 --yes", remove(true)),
        ("/context", Ask::Report),
        ("/context window 3", Ask::Change(Change::Window(Some(3)))),
        ("/context window 0", Ask::Change(Change::Window(None))),
        ("/context  drop\t7 ", Ask::Change(Change::Drop(group))),
        ("/context restore 7", Ask::Change(Change::Restore(group))),
        ("/context show", Ask::Assembled { request: false, editor: false }),
        ("/context rebuild", Ask::Rebuild),
        ("/diff", Ask::Diff { number: None }),
        ("/diff 2", Ask::Diff { number: Some(2) }),
        ("/summaries", Ask::Summaries),
        ("/session scratchpad", pad(DocumentAsk::Show)),
        ("/session scratchpad set plan.md", pad(DocumentAsk::Set("plan.md".to_owned()))),
        ("/session scratchpad edit", pad(DocumentAsk::Edit)),
    ] {
        assert_eq!(ask(line), expected, "{line}");
    }
    assert_eq!(ask("/handoff"), Ask::Handoff);
    assert_eq!(ask("/checkpoints 2"), Ask::Checkpoint { number: Some(2) });
    assert_eq!(parse("/help"), Ok(Slash::Help));
}

// S3-23
#[test]
fn what_follows_compact_is_said_to_the_summarizer() {
    let compact =
        |instructions: Option<&str>| Ok(Slash::Compact { instructions: instructions.map(str::to_owned) });
    assert_eq!(parse("/compact"), compact(None));
    assert_eq!(parse("/compact  keep the\tport numbers "), compact(Some("keep the port numbers")));
}

#[test]
fn commands_of_the_screen_are_read() {
    let screen = |line: &str| match parse(line).unwrap() {
        Slash::Screen(command) => command,
        other => panic!("{other:?}"),
    };
    let text = |text: &str| Some(text.to_owned());
    for (line, expected) in [
        ("/status", OnScreen::Status),
        ("/model", OnScreen::Model(None)),
        ("/model openai/gpt-5", OnScreen::Model(text("openai/gpt-5"))),
        ("/resume", OnScreen::Resume(None)),
        ("/resume invoice rounding", OnScreen::Resume(text("invoice rounding"))),
        ("/permissions", OnScreen::Permissions(PermissionsAsk::Show)),
        ("/permissions plan", OnScreen::Permissions(PermissionsAsk::Mode("plan".to_owned()))),
        ("/permissions remove 3", OnScreen::Permissions(PermissionsAsk::Remove(3))),
        ("/rename a b", OnScreen::Rename("a b".to_owned())),
        ("/memos", OnScreen::Memos(None)),
        ("/clear", OnScreen::Clear),
        ("/new", OnScreen::Clear),
        ("/exit", OnScreen::Quit),
    ] {
        assert_eq!(screen(line), expected, "{line}");
    }
}

// F-35
#[test]
fn bad_numbers_are_errors_and_never_everything() {
    for line in [
        "/context window",
        "/context window -1",
        "/context window all",
        "/context window 4294967296",
        "/messages list 0",
        "/messages list x",
        "/messages show 0",
        "/messages show",
        "/messages remove one --yes",
        "/context drop -3",
        "/diff 0",
        "/undo 2",
        "/undo --compaction --purge",
        "/session state set x",
        "/session",
        "/rename",
        "/clear now",
        "/permissions remove x",
        "/checkpoints 0",
    ] {
        let error = parse(line).unwrap_err();
        assert!(matches!(error, SlashError::Usage { .. }), "{line}: {error:?}");
        assert!(error.to_string().contains("; write: /"), "{line}: {error}");
    }
}

#[test]
fn an_unknown_command_names_the_nearest_or_lists_those_that_there_are() {
    let error = parse("/undoo").unwrap_err().to_string();
    assert!(error.starts_with("there is no command /undoo; did you mean /undo?"), "{error}");
    let error = parse("/frobnicate").unwrap_err().to_string();
    assert!(words().iter().all(|word| error.contains(word)), "{error}");
    assert!(error.contains("put a space in front"), "{error}");
}

#[test]
fn every_command_that_is_listed_is_read() {
    for command in COMMANDS {
        let line = match command.name {
            "/messages remove" | "/context drop" | "/context window" => format!("{} 1", command.name),
            "/rename" => "/rename it".to_owned(),
            "/session scratchpad set" => "/session scratchpad set plan.md".to_owned(),
            name => name.to_owned(),
        };
        let read = parse(&line).unwrap();
        assert_eq!(matches!(read, Slash::Screen(_)), command.screen, "{line}");
        assert!(help(true).contains(command.name) && help(true).contains(command.about), "{line}");
        assert_eq!(help(false).contains(command.name), !command.screen, "{line}");
    }
}

#[test]
fn a_path_or_a_sentence_is_no_command() {
    for line in ["/undo", "/what", "/messages list", "/undo\nnow"] {
        assert!(is_command(line), "{line}");
    }
    for line in
        ["/etc/hosts is empty", "/", "/ undo", " /undo", "undo", "", "//comment", "/1", "/a.txt", "see /undo"]
    {
        assert!(!is_command(line), "{line}");
    }
}
