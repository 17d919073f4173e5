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
        .map(|hook| (hook.event.name(), hook.matcher(), hook.text(), hook.timeout.as_secs()))
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
        error(r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "agent", "prompt": "ok?" }] }] } }"#),
        error(r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "prompt" }] }] } }"#),
        error(
            r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "ok?", "model": "haiku" }] }] } }"#,
        ),
        error(
            r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "ok?", "async": true }] }] } }"#,
        ),
        error(r#"{ "hooks": { "SessionEnd": [{ "hooks": [{ "type": "prompt", "prompt": "ok?" }] }] } }"#),
        error(r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "http", "url": "localhost:80" }] }] } }"#),
        error(
            r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "http", "url": "http://a", "headers": { "X": "$B ${C}" }, "allowedEnvVars": ["B"] }] }] } }"#,
        ),
        error(r#"{ "hooks": { "Stop": [{ "hooks": [{ "command": "a", "asyncRewake": true }] }] } }"#),
        error(r#"{ "hooks": { "Stop": [{ "hooks": [{ "command": "a", "timeout": 0 }] }] } }"#),
    ];
    expect![[r#"
        hooks.json: no JSON: EOF while parsing an object at line 1 column 1
        hooks.json: the key "hooks" is missing
        hooks.json: hooks.PreTool: there is no such event; there are: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PreCompact, PostCompact, Stop, SubagentStart, SubagentStop, Notification, SessionEnd
        hooks.json: hooks.Stop: a list is expected
        hooks.json: hooks.Stop[0].matcher: "(" is no matcher: unclosed group; write Bash, Edit|Write or a regular expression
        hooks.json: hooks.Stop[0].hooks[0].command: a command line is expected
        hooks.json: hooks.Stop[0].hooks[0].type: hooks of type "agent" are not run; there are: command, prompt, http
        hooks.json: hooks.Stop[0].hooks[0].prompt: a text by which a model judges is expected
        hooks.json: hooks.Stop[0].hooks[0].model: the model of the session judges; leave it out
        hooks.json: hooks.Stop[0].hooks[0].async: only commands run in the background; leave it out
        hooks.json: hooks.SessionEnd[0].hooks[0].type: nothing is decided at SessionEnd, so no model judges it; use a command, or one of UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, Stop, SubagentStop
        hooks.json: hooks.Stop[0].hooks[0].url: an address that begins with https:// or http:// is expected
        hooks.json: hooks.Stop[0].hooks[0].headers.X: it has $C; name that variable in allowedEnvVars
        hooks.json: hooks.Stop[0].hooks[0].asyncRewake: a hook does not wake the model; write "async": true, and its text comes with the next message
        hooks.json: hooks.Stop[0].hooks[0].timeout: seconds are expected, more than 0 and up to 3600
    "#]].assert_eq(&(shown.join("\n") + "\n"));
}

#[test]
fn what_another_program_has_more_is_listed_and_the_rest_is_read() {
    let text = r#"{ "model": "opus", "hooks": {
        "WorktreeCreate": [{ "hooks": [{ "type": "command", "command": "w" }] }],
        "Stop": [{ "hooks": [
            { "type": "agent", "prompt": "ok?" },
            { "type": "prompt", "prompt": "judge", "model": "haiku" },
            { "type": "command", "command": "s", "async": true, "asyncRewake": true }
        ] }]
    } }"#;
    let file = HookFile::parse(".claude/settings.json", text, HookOrigin::Project, true).unwrap();
    assert_eq!(file.hooks.iter().map(Hook::text).collect::<Vec<_>>(), ["judge", "s"]);
    assert_eq!(file.hooks.iter().map(|hook| hook.is_async).collect::<Vec<_>>(), [false, true]);
    assert_eq!(file.ignored.len(), 4, "{:?}", file.ignored);
    let none = HookFile::parse("s.json", r#"{ "model": "opus" }"#, HookOrigin::User, true).unwrap();
    assert!(none.hooks.is_empty() && none.ignored.is_empty());
}

#[test]
fn a_request_has_the_named_variables_in_its_headers_and_shows_no_value() {
    let text = r#"{ "hooks": { "Stop": [{ "hooks": [
        { "type": "http", "url": "https://hooks.example/stop", "headers": { "Authorization": "Bearer $KEY", "X": "${KEYS}-$OTHER" },
          "allowedEnvVars": ["KEY", "KEYS"] }
    ] }] } }"#;
    let file = HookFile::parse("s.json", text, HookOrigin::User, true).unwrap();
    let [hook] = file.hooks.as_slice() else { panic!("{:?}", file.hooks) };
    let HookAction::Http(target) = &hook.action else { panic!("{hook:?}") };
    let headers = target.headers(|name| (name == "KEY").then(|| "$KEYS-s".to_owned()));
    let expected = [("Authorization", "Bearer $KEYS-s"), ("X", "-")];
    assert_eq!(headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(
        (hook.kind(), hook.text(), hook.timeout.as_secs()),
        ("http", "https://hooks.example/stop", 30)
    );
    assert!(!format!("{hook:?}").contains("Bearer"));
}

#[test]
fn a_hook_of_a_plugin_names_its_folder() {
    let text = r#"{ "hooks": { "Stop": [{ "hooks": [
        { "type": "command", "command": "\"${ROOT}/stop.sh\" ${OTHER}" }, { "type": "prompt", "prompt": "${ROOT}?" }
    ] }] } }"#;
    let file = HookFile::parse("plugin a: hooks.json", text, HookOrigin::User, true).unwrap();
    let folder = std::path::Path::new("/plugins/a");
    let hooks: Vec<Hook> = file.hooks.into_iter().map(|hook| hook.of_plugin(folder, "ROOT")).collect();
    assert_eq!(
        hooks.iter().map(Hook::text).collect::<Vec<_>>(),
        ["\"/plugins/a/stop.sh\" ${OTHER}", "${ROOT}?"]
    );
    assert!(hooks.iter().all(|hook| hook.plugin.as_deref() == Some(folder)));
}
