//! Lines as the user types them.

use std::fmt::Write as _;

use throughline_conversation::{DocumentName, ExchangeId};
use throughline_groups::Change;

use super::rows::CommandRow;
use super::*;
use crate::session_command::{DocumentAction, FileChoice, SessionCommand};

fn command(line: &str) -> SessionCommand {
    match parse(line).unwrap() {
        Slash::Session(command) => command.command(),
        other => panic!("{other:?}"),
    }
}

// S4-13 S4-15 S4-16 S4-17 S4-18 S4-24
#[test]
fn commands_are_read() {
    let turn = ExchangeId(7);
    let remove = |yes| SessionCommand::Remove { turn: Some(turn), yes };
    let pad = |action| SessionCommand::Document { name: DocumentName::Scratchpad, action };
    for (line, expected) in [
        ("/undo", SessionCommand::Turn { undo: true, files: FileChoice::Ask }),
        ("/undo --files", SessionCommand::Turn { undo: true, files: FileChoice::Restore }),
        ("/undo --compaction", SessionCommand::Change(Change::UndoCompaction)),
        ("/undo --purge --yes", SessionCommand::Remove { turn: None, yes: true }),
        ("/redo", SessionCommand::Turn { undo: false, files: FileChoice::Ask }),
        ("/redo --no-files", SessionCommand::Turn { undo: false, files: FileChoice::Keep }),
        ("/redo --compaction", SessionCommand::Change(Change::RedoCompaction)),
        ("/messages", SessionCommand::ListTurns { most: 20 }),
        ("/message list", SessionCommand::ListTurns { most: 20 }),
        ("/messages list 5", SessionCommand::ListTurns { most: 5 }),
        ("/message show 7", SessionCommand::ShowTurn { turn }),
        ("/message remove 7", remove(false)),
        ("/messages remove 7 --yes", remove(true)),
        ("/context", SessionCommand::Report { all: false }),
        ("/context --all", SessionCommand::Report { all: true }),
        ("/context window 3", SessionCommand::Change(Change::Window(Some(3)))),
        ("/context window 0", SessionCommand::Change(Change::Window(None))),
        ("/context  drop\t7 ", SessionCommand::Change(Change::Drop(turn))),
        ("/context restore 7", SessionCommand::Change(Change::Restore(turn))),
        ("/context show", SessionCommand::Assembled { request: false, editor: false }),
        ("/context rebuild", SessionCommand::Rebuild),
        ("/context diff", SessionCommand::Diff { number: None }),
        ("/context diff 2", SessionCommand::Diff { number: Some(2) }),
        ("/summaries", SessionCommand::Summaries),
        ("/session scratchpad", pad(DocumentAction::Show)),
        ("/session scratchpad set plan.md", pad(DocumentAction::Set("plan.md".to_owned()))),
        ("/session scratchpad edit", pad(DocumentAction::Edit)),
    ] {
        assert_eq!(command(line), expected, "{line}");
    }
    assert_eq!(command("/handoff"), SessionCommand::Handoff { agent: None });
    assert_eq!(command("/checkpoints 2"), SessionCommand::Checkpoint { number: Some(2) });
    assert_eq!(parse("/help"), Ok(Slash::Help));
}

#[test]
fn quotes_hold_a_path_together() {
    let set = |file: &str| SessionCommand::Document {
        name: DocumentName::Scratchpad,
        action: DocumentAction::Set(file.to_owned()),
    };
    assert_eq!(command("/session scratchpad set 'my plan.md'"), set("my plan.md"));
}

// S3-23
#[test]
fn free_text_is_passed_on_as_typed() {
    let compact = |preview: bool, instructions: &str| {
        let instructions = instructions.split_whitespace().map(str::to_owned).collect();
        Ok(Slash::Compact { preview, instructions })
    };
    for text in ["", "keep the\tport numbers ", "don't drop \"names\"", "--keep -x all"] {
        assert_eq!(parse(&format!("/compact  {text}")), compact(false, text), "{text}");
    }
    assert_eq!(parse("/compact --preview"), compact(true, ""));
    assert_eq!(parse("/compact --preview keep the ports"), compact(true, "keep the ports"));
    assert_eq!(parse("/compact show the --preview"), compact(false, "show the --preview"));
}

#[test]
fn commands_of_the_screen_are_read() {
    let screen = |line: &str| match parse(line).unwrap() {
        Slash::Screen(command) => command,
        other => panic!("{other:?}"),
    };
    let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let permissions =
        |mode: Option<&str>, what| ScreenCommand::Permissions { mode: mode.map(str::to_owned), what };
    for (line, expected) in [
        ("/status", ScreenCommand::Status),
        ("/model", ScreenCommand::Model { name: words("") }),
        ("/model openai/gpt-5", ScreenCommand::Model { name: words("openai/gpt-5") }),
        ("/resume", ScreenCommand::Resume { words: words("") }),
        ("/resume invoice rounding", ScreenCommand::Resume { words: words("invoice rounding") }),
        ("/permissions", permissions(None, None)),
        ("/permissions plan", permissions(Some("plan"), None)),
        (
            "/permissions mode plan",
            permissions(None, Some(PermissionsCommand::Mode { mode: "plan".to_owned() })),
        ),
        ("/permissions remove 3", permissions(None, Some(PermissionsCommand::Remove { number: 3 }))),
        ("/plan", ScreenCommand::Plan),
        ("/rename a b", ScreenCommand::Rename { title: words("a b") }),
        ("/config", ScreenCommand::Config { key: None, value: words("") }),
        (
            "/config permissions.deny [\"read(.env)\"]",
            ScreenCommand::Config {
                key: Some("permissions.deny".to_owned()),
                value: words("[\"read(.env)\"]"),
            },
        ),
        ("/output-style", ScreenCommand::OutputStyle { name: words("") }),
        ("/output-style Code Reviewer", ScreenCommand::OutputStyle { name: words("Code Reviewer") }),
        ("/memos", ScreenCommand::Memos { words: words("") }),
        ("/clear", ScreenCommand::Clear),
        ("/new", ScreenCommand::Clear),
        ("/exit", ScreenCommand::Quit),
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
        "/context diff 0",
        "/undo 2",
        "/undo --compaction --purge",
        "/session state set x",
        "/session",
        "/rename",
        "/clear now",
        "/permissions remove x",
        "/checkpoints 0",
        "/undo --help",
        "/undo --yes",
    ] {
        let error = parse(line).unwrap_err();
        assert!(matches!(error, SlashError::Usage { .. }), "{line}: {error:?}");
        assert!(error.to_string().contains("; write: /"), "{line}: {error}");
    }
}

#[test]
fn an_unknown_command_names_the_nearest_or_says_how_all_are_listed() {
    let error = parse("/undoo").unwrap_err().to_string();
    assert!(error.starts_with("there is no command /undoo; did you mean /undo?"), "{error}");
    let error = parse("/frobnicate").unwrap_err().to_string();
    assert!(error.starts_with("there is no command /frobnicate; /help lists them."), "{error}");
    assert!(error.contains("put a space in front"), "{error}");
}

#[test]
fn wrong_arguments_are_named() {
    let mut shown = String::new();
    for line in [
        "/undo 2",
        "/undo --compaction --purge",
        "/context drop",
        "/context drop x",
        "/session",
        "/session state set x",
        "/rename",
        "/permissions remove x",
        "/context diff 0",
    ] {
        writeln!(shown, "{line}: {}", parse(line).unwrap_err()).unwrap();
    }
    expect_test::expect![[r#"
        /undo 2: "2" does not fit here; write: /undo [--compaction] [--files] [--no-files] [--purge] [--yes]
        /undo --compaction --purge: --compaction and --purge cannot be used together; write: /undo [--compaction] [--files] [--no-files] [--purge] [--yes]
        /context drop: TURN-OR-MESSAGE is missing; write: /context [window N | drop TURN-OR-MESSAGE | restore TURN-OR-MESSAGE | show [--request] [--editor] | diff [N] | rebuild] [--all]
        /context drop x: "x" does not fit; give the number of a turn, from 1 on, or the id of a message, as `throughline messages show` prints it; write: /context [window N | drop TURN-OR-MESSAGE | restore TURN-OR-MESSAGE | show [--request] [--editor] | diff [N] | rebuild] [--all]
        /session: an argument is missing; write: /session scratchpad [show | set FILE | edit | history [--full]] | state [show | history [--full]]
        /session state set x: "set" does not fit here; write: /session scratchpad [show | set FILE | edit | history [--full]] | state [show | history [--full]]
        /rename: TITLE is missing; write: /rename TITLE
        /permissions remove x: "x" does not fit; give the number of a rule, as /permissions lists it; write: /permissions [MODE | mode MODE | remove N]
        /context diff 0: "0" does not fit; compactions are counted from 1, the oldest; write: /context [window N | drop TURN-OR-MESSAGE | restore TURN-OR-MESSAGE | show [--request] [--editor] | diff [N] | rebuild] [--all]
    "#]].assert_eq(&shown);
}

// The list, the completion and what may be typed at any time all come from the grammar.
#[test]
fn every_command_is_listed_with_what_it_takes() {
    let mut shown = String::new();
    for row in rows() {
        let CommandRow { name, arguments, on_screen, anytime, .. } = &row;
        let mark = |on: bool, letter: char| if on { letter } else { '-' };
        let marks = [mark(*on_screen, 's'), mark(*anytime, 'a')].iter().collect::<String>();
        writeln!(shown, "{marks} {}", format!("{name} {arguments}").trim_end()).unwrap();
        assert!(help(true).contains(&row.about), "{name}");
        assert_eq!(help(false).contains(&format!("{name} ")), !on_screen, "{name}");
    }
    expect_test::expect![[r#"
        -a /context [--all]
        -- /context window N
        -- /context drop TURN-OR-MESSAGE
        -- /context restore TURN-OR-MESSAGE
        -a /context show [--request] [--editor]
        -a /context diff [N]
        -- /context rebuild
        -- /compact [--preview] [INSTRUCTIONS]
        -- /undo [--compaction] [--files] [--no-files] [--purge] [--yes]
        -- /pin TURN-OR-MESSAGE [--text]
        s- /resume [WORDS]
        s- /model [MODEL]
        s- /effort [LEVEL]
        sa /diff
        sa /cost
        sa /status
        sa /agents
        sa /agents stop N
        sa /jobs [N]
        sa /jobs stop N
        s- /clear
        s- /fork
        s- /continue
        s- /copy
        s- /export [FILE] [--text] [--atif] [--claude] [--pydantic-ai] [--bundle]
        s- /rename TITLE
        sa /sessions
        s- /quit
        -a /messages
        -a /messages list [N]
        -a /messages show TURN
        -- /messages remove TURN [--yes]
        -- /redo [--compaction] [--files] [--no-files]
        -a /pins
        -- /unpin PIN
        -a /summaries
        -a /checkpoints [N]
        -a /session scratchpad
        -a /session scratchpad show
        -- /session scratchpad set FILE
        -- /session scratchpad edit
        -a /session scratchpad history [--full]
        -a /session state
        -a /session state show
        -a /session state history [--full]
        -a /handoff
        s- /permissions [MODE]
        s- /permissions mode MODE
        s- /permissions remove N
        s- /plan
        s- /add-dir FOLDER
        sa /config [KEY VALUE]
        sa /vim
        sa /output-style [NAME]
        sa /hooks
        sa /mcp
        s- /mcp add [OPTIONS] NAME COMMAND
        s- /mcp remove NAME [--project]
        s- /mcp login NAME [ADDRESS]
        s- /mcp logout NAME
        s- /mcp reload [NAME]
        sa /plugin
        s- /plugin enable NAME
        s- /plugin disable NAME
        sa /skills
        sa /memos [WORDS]
        -a /help
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_path_or_a_sentence_is_no_command() {
    for line in ["/undo", "/what", "/messages list", "/undo\nnow", "/tool-7:fix_2 it", "/a:b:c"] {
        assert!(is_command(line), "{line}");
    }
    for line in [
        "/etc/hosts is empty",
        "/",
        "/ undo",
        " /undo",
        "undo",
        "",
        "//comment",
        "/1",
        "/a.txt",
        "see /undo",
        "/a:",
        "/:a",
        "/a::c",
        "/a:/b",
    ] {
        assert!(!is_command(line), "{line}");
    }
}
