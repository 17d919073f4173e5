//! Wrong usage ends with code 2 and says what would be right; help and version end with 0.

use tempfile::TempDir;

use crate::program::throughline;
use crate::ran::{Ran, assert_says, run};

#[track_caller]
fn called(arguments: &[&str]) -> Ran {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let ran = run(throughline(&data).args(arguments));
    assert!(!data.exists(), "a data folder was made, although nothing was done: {arguments:?}");
    ran
}

#[test]
fn without_a_command_or_a_terminal_it_says_what_to_use() {
    let mut alone = std::process::Command::new(env!("CARGO_BIN_EXE_throughline"));
    let error = run(&mut alone).misused();
    assert_says(&error, &["there is no terminal", "throughline run PROMPT", "throughline --help"]);
    assert_says(&called(&[]).misused(), &["there is no terminal"]);
    let help = called(&["--help"]).done();
    assert_says(&help, &["demo", "replay", "sessions", "context", "show", "export"]);
    assert!(!help.contains("worker"), "hidden options are not shown: {help}");
}

#[test]
fn a_run_for_programs_ends_with_its_object_also_if_its_options_are_wrong() {
    let wrong: [&[&str]; 5] = [
        &["run", "-o", "json", "--mode", "bogus", "hi"],
        &["run", "--nosuch", "--output=stream-json", "hi"],
        &["run", "hi", "--max-turns", "0", "-ojson"],
        &["-p", "-o", "json", "--policy", "bogus", "hi"],
        &["--any-folder", "run", "-o", "json", "--mode", "bogus", "hi"],
    ];
    for args in wrong {
        let ran = called(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:?}");
        let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&object["type"], &object["outcome"]), (&"result".into(), &"usage".into()), "{object}");
        let why = object["error"].as_str().unwrap();
        assert!(ran.err.contains(why.split(" [").next().unwrap()), "{why} {ran:?}");
    }
    called(&["run", "--mode", "bogus", "hi"]).misused();
}

#[test]
fn help_and_version_are_no_mistakes() {
    assert_says(&called(&["--help"]).done(), &["Usage: throughline", "--data-dir <FOLDER>"]);
    assert_says(&called(&["--version"]).done(), &["throughline ", env!("CARGO_PKG_VERSION")]);
    for command in ["demo", "replay", "sessions", "context", "show", "export"] {
        assert_says(&called(&[command, "--help"]).done(), &["Usage: throughline", command]);
    }
}

/// The commands that a help text lists, in groups or below "Commands:", with their descriptions.
fn listed(help: &str) -> Vec<(String, String)> {
    let begins = |line: &&str| *line != "Commands:" && *line != "Work:";
    let ends = |line: &&str| !["Arguments:", "Options:"].contains(line);
    let lines = help.lines().skip_while(begins).skip(1).take_while(ends);
    let lines = lines.filter(|line| line.starts_with("  ")).filter_map(|line| line.trim().split_once("  "));
    let named = lines.map(|(name, text)| (name.to_owned(), text.trim().to_owned()));
    named.filter(|(name, _)| name != "help").collect()
}

#[test]
fn the_help_of_a_command_begins_with_what_the_list_of_commands_says_of_it() {
    let help = called(&["--help"]).done();
    assert!(help.starts_with("A terminal agent for long sessions"), "{help}");
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        let words = |more: &[&str]| -> Vec<String> {
            path.iter().cloned().chain(more.iter().map(|word| (*word).to_owned())).collect()
        };
        let asked = |words: &[String]| called(&words.iter().map(String::as_str).collect::<Vec<_>>()).done();
        for (name, text) in listed(&asked(&words(&["--help"]))) {
            let help = asked(&words(&[&name, "--help"]));
            let text = text.split(" [aliases").next().unwrap();
            assert_eq!(help.lines().next(), Some(text), "{path:?} {name}");
            open.push(words(&[&name]));
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} commands have a help text");
}

#[test]
fn the_short_help_fits_a_screen_and_names_every_command() {
    let (short, long) = (called(&["-h"]).done(), called(&["--help"]).done());
    assert!(short.lines().count() <= 45, "{short}");
    let names = listed(&long);
    assert!(names.len() > 30, "{names:?}");
    for (name, _) in names {
        assert!(short.split_whitespace().any(|word| word == name), "{name}: {short}");
    }
    let run = called(&["run", "-h"]).done();
    assert!(run.lines().count() <= 45, "{run}");
    assert_says(&called(&["run", "--help"]).done(), &["--header", "Exit codes:"]);
}

#[test]
fn an_option_without_effect_on_a_command_is_refused_behind_it_and_not_in_its_help() {
    for (arguments, option) in [
        (&["trust", "--any-folder"][..], "--any-folder"),
        (&["trust", "--blobs", "file:///b"], "--blobs"),
        (&["sessions", "--any-folder"], "--any-folder"),
        (&["memos", "list", "--any-folder"], "--any-folder"),
        (&["audit", "--data-dir", "/d"], "--data-dir"),
        (&["login", "--data-dir", "/d"], "--data-dir"),
        (&["logout", "openai", "--any-folder"], "--any-folder"),
        (&["update", "--database", "postgres://x/y"], "--database"),
        (&["import", "file", "--any-folder"], "--any-folder"),
    ] {
        assert_says(&called(arguments).misused(), &["error: ", &format!("`{option}` has no effect on")]);
        assert!(!called(&[arguments[0], "--help"]).done().contains(option), "{arguments:?}");
    }
    for (arguments, option) in [
        (&["mcp", "list", "--any-folder"][..], "--any-folder"),
        (&["mcp", "add", "--data-dir", "/d", "x", "y"], "--data-dir"),
        (&["config", "path", "--data-dir", "/d"], "--data-dir"),
        (&["config", "key", "new", "file", "--blobs", "file:///b"], "--blobs"),
        (&["serve", "token", "list", "--blobs", "file:///b"], "--blobs"),
        (&["serve", "audit", "--blobs", "file:///b"], "--blobs"),
    ] {
        assert_says(&called(arguments).misused(), &["error: ", &format!("`{option}` has no effect on")]);
    }
    assert_says(&called(&["config", "key", "show", "--help"]).done(), &["--data-dir"]);
    for command in ["context", "show", "undo", "mcp"] {
        assert_says(&called(&[command, "--help"]).done(), &["--any-folder", "--data-dir"]);
    }
    assert_says(&called(&["sessions", "delete", "--help"]).done(), &["--any-folder", "--data-dir"]);
}

#[test]
fn unknown_words_are_refused() {
    assert_says(&called(&["--nonsense"]).misused(), &["error: ", "--nonsense"]);
    assert_says(&called(&["nonsense"]).misused(), &["error: ", "nonsense"]);
    assert_says(&called(&["sessions", "--nonsense"]).misused(), &["error: ", "--nonsense"]);
    assert_says(&called(&["sessions", "too", "many"]).misused(), &["error: ", "too"]);
    assert_says(&called(&["session"]).misused(), &["error: ", "sessions"]);
}

#[test]
fn a_mistyped_command_with_arguments_is_corrected() {
    assert_says(&called(&["contxt", "last"]).misused(), &["no command \"contxt\"", "`throughline context`"]);
    assert_says(&called(&["fix", "the", "parser"]).misused(), &["needs quotes"]);
}

#[test]
fn what_is_wrong_usage_has_one_exit_code() {
    for arguments in [
        &["run", "--header", "nocolon", "--provider", "anthropic", "--base-url", "http://127.0.0.1:1", "hi"]
            [..],
        &["run", "--provider", "anthropic", "--base-url", "http://127.0.0.1:1", "--allow", "bash(ls", "hi"],
        &["run", "--fork", "hi"],
        &["run", ""],
        &["run", "--task", "missing.md"],
        &["run", "--fallback", "foo", "hi"],
    ] {
        let folder = TempDir::new().unwrap();
        let ran = run(throughline(&folder.path().join("data")).args(arguments));
        assert!(!ran.misused().is_empty(), "{arguments:?}");
    }
}

#[test]
fn an_option_of_a_session_before_a_command_is_refused() {
    for (arguments, named) in [
        (&["--model", "x", "sessions"][..], "`--model <MODEL>` before `sessions`"),
        (&["-c", "models"], "`--continue` before `models`"),
        (&["--mode", "plan", "config", "show"], "`--mode <MODE>` before `config`"),
    ] {
        assert_says(&called(arguments).misused(), &["error: ", named, "write it after"]);
    }
}

#[test]
fn missing_words_are_named() {
    for command in ["context", "show", "export", "undo", "redo", "diff", "summaries", "scratchpad", "state"] {
        assert_says(&called(&[command]).misused(), &["<SESSION>"]);
    }
    for command in ["list", "show", "remove"] {
        assert_says(&called(&["messages", command]).misused(), &["<SESSION>"]);
    }
    assert_says(&called(&["messages", "remove", "last"]).misused(), &["<TURN>"]);
    assert_says(&called(&["scratchpad", "last", "set"]).misused(), &["<FILE>"]);
    assert_says(&called(&["replay"]).misused(), &["<FILE>"]);
    assert_says(&called(&["show", "last", "--request"]).misused(), &["--request <N>"]);
    assert_says(&called(&["demo", "--worker-session", "a"]).misused(), &["--workspace"]);
    assert_says(&called(&["sessions", "--data-dir"]).misused(), &["--data-dir <FOLDER>"]);
}

#[test]
fn numbers_that_are_none_are_refused() {
    for wrong in ["abc", "-1", "1.5", "99999999999999999999"] {
        assert_says(
            &called(&["show", "last", &format!("--request={wrong}")]).misused(),
            &[wrong, "--request"],
        );
        assert_says(&called(&["demo", &format!("--pace={wrong}")]).misused(), &[wrong, "--pace"]);
    }
    for option in ["--window", "--max-output", "--overhead"] {
        for wrong in ["", "0", "many", "-5", "64kb", "1e5", "99999999999999999m"] {
            let says = called(&["replay", "a.jsonl", &format!("{option}={wrong}")]).misused();
            assert_says(&says, &["error: ", option]);
        }
    }
    let says = called(&["replay", "a.jsonl", "--window", "many"]).misused();
    assert_says(&says, &["\"many\" is not a number of tokens; write for example 64k or 200000"]);
}

#[test]
fn a_pause_that_is_no_number_says_what_to_write() {
    assert_says(&called(&["demo", "--pace", "fast"]).misused(), &["whole milliseconds, for example 60"]);
}

#[test]
fn choices_are_listed() {
    let policies = called(&["replay", "a.jsonl", "--policy", "best"]).misused();
    assert_says(&policies, &["best", "throughline", "rubichan", "off"]);
    let estimators = called(&["replay", "a.jsonl", "--estimator", "best"]).misused();
    assert_says(&estimators, &["best", "script", "chars4"]);
}
