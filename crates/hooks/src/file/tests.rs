//! Hook files and their mistakes.

use expect_test::expect;

use super::*;

fn error(text: &str) -> String {
    HookFile::parse("hooks.json", text, HookOrigin::Project, false).unwrap_err().to_string()
}

#[test]
fn a_file_gives_its_hooks_in_order_with_times_and_matchers() {
    let text = r#"{ "hooks": {
        "PreToolUse": [{ "matcher": "Bash", "hooks": [
            { "type": "command", "command": "check.sh", "timeout": 5 }, { "type": "command", "command": "log.sh" }
        ] }],
        "Stop": [{ "hooks": [{ "type": "command", "command": "done.sh" }] }]
    } }"#;
    let file = HookFile::parse("hooks.json", text, HookOrigin::User, false).unwrap();
    let shown: Vec<(&str, &str, &str, u64)> = file
        .hooks
        .iter()
        .map(|hook| (hook.event.name(), hook.matcher(), hook.command.as_str(), hook.timeout.as_secs()))
        .collect();
    let expected = [
        ("PreToolUse", "Bash", "check.sh", 5),
        ("PreToolUse", "Bash", "log.sh", 60),
        ("Stop", "", "done.sh", 60),
    ];
    assert_eq!(shown, expected);
    assert_eq!(file.ignored, Vec::<String>::new());
}

#[test]
fn a_mistake_is_named_with_its_place_and_the_right_form() {
    let shown = [
        error("{"),
        error(r#"{ "hook": {} }"#),
        error(r#"{ "hooks": { "PreTool": [] } }"#),
        error(r#"{ "hooks": { "Stop": {} } }"#),
        error(r#"{ "hooks": { "Stop": [{ "matcher": "(", "hooks": [] }] } }"#),
        error(r#"{ "hooks": { "Stop": [{ "hooks": [{ "command": " " }] }] } }"#),
        error(r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "ok?" }] }] } }"#),
        error(r#"{ "hooks": { "Stop": [{ "hooks": [{ "command": "a", "timeout": 0 }] }] } }"#),
    ];
    expect![[r#"
        hooks.json: no JSON: EOF while parsing an object at line 1 column 1
        hooks.json: the key "hooks" is missing
        hooks.json: hooks.PreTool: there is no such event; there are: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PreCompact, PostCompact, Stop, SubagentStart, SubagentStop, Notification, SessionEnd
        hooks.json: hooks.Stop: a list is expected
        hooks.json: hooks.Stop[0].matcher: "(" is no matcher: unclosed group; write Bash, Edit|Write or a regular expression
        hooks.json: hooks.Stop[0].hooks[0].command: a command line is expected
        hooks.json: hooks.Stop[0].hooks[0].type: hooks of type "prompt" are not run; there is: command
        hooks.json: hooks.Stop[0].hooks[0].timeout: seconds are expected, more than 0 and up to 3600
    "#]].assert_eq(&(shown.join("\n") + "\n"));
}

#[test]
fn what_another_program_has_more_is_listed_and_the_rest_is_read() {
    let text = r#"{ "model": "opus", "hooks": {
        "WorktreeCreate": [{ "hooks": [{ "type": "command", "command": "w" }] }],
        "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "ok?" }, { "type": "command", "command": "s", "async": true }] }]
    } }"#;
    let file = HookFile::parse(".claude/settings.json", text, HookOrigin::Project, true).unwrap();
    assert_eq!(file.hooks.iter().map(|hook| hook.command.as_str()).collect::<Vec<_>>(), ["s"]);
    assert_eq!(file.ignored.len(), 3, "{:?}", file.ignored);
    let none = HookFile::parse("s.json", r#"{ "model": "opus" }"#, HookOrigin::User, true).unwrap();
    assert!(none.hooks.is_empty() && none.ignored.is_empty());
}
