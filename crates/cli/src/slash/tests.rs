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
    assert_eq!((parse("/compact"), parse("/help")), (Ok(Slash::Compact), Ok(Slash::Help)));
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
        "/compact now",
    ] {
        let error = parse(line).unwrap_err();
        assert!(matches!(error, SlashError::Usage { .. }), "{line}: {error:?}");
        assert!(error.to_string().contains("; write: /"), "{line}: {error}");
    }
}

#[test]
fn an_unknown_command_lists_those_that_there_are() {
    let error = parse("/undoo").unwrap_err().to_string();
    assert!(error.starts_with("there is no command /undoo; there are: /undo, /redo, /messages, "), "{error}");
    assert!(COMMANDS.iter().all(|command| error.contains(command)), "{error}");
    assert!(COMMANDS.iter().filter(|command| **command != "/help").all(|command| HELP.contains(command)));
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
