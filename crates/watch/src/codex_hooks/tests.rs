//! Which hooks of Codex become trusted.

use serde_json::{Value, json};

use crate::codex_user_hooks::CodexUserHooks;

use super::{CodexTrustError, codex_hook_overrides, codex_server_overrides, codex_trust_override};

const OURS: &str = "'/opt/it''s/throughline' watch --hook codex";

fn hook(event: &str, source: &str, command: &str) -> Value {
    json!({"key": format!("/<session-flags>/config.toml:{event}:0:0"), "source": source, "command": command,
           "currentHash": format!("sha256:{event}"), "trustStatus": "untrusted"})
}

fn listed(hooks: &[Value]) -> String {
    json!({"id": 2, "result": {"data": [{"cwd": "/w", "hooks": hooks}]}}).to_string()
}

#[test]
fn only_the_hooks_of_this_run_become_trusted() {
    let ours = ["session_start", "pre_compact", "stop", "session_end"];
    let mut hooks: Vec<Value> = ours.iter().map(|event| hook(event, "sessionFlags", OURS)).collect();
    hooks.push(hook("project", "project", OURS));
    hooks.push(hook("other", "sessionFlags", "rm -rf /"));
    let state = codex_trust_override(&listed(&hooks), OURS, 4, &CodexUserHooks::default()).unwrap().unwrap();
    assert_eq!(state.matches("trusted_hash").count(), 4, "{state}");
    assert!(!state.contains("project") && !state.contains("other"), "{state}");
    assert!(
        state.contains(r#""/<session-flags>/config.toml:stop:0:0"={trusted_hash="sha256:stop"}"#),
        "{state}"
    );
}

#[test]
fn a_list_without_our_hooks_is_an_error_and_other_lines_are_passed_over() {
    for line in ["", "not json", r#"{"id":1,"result":{}}"#, r#"{"method":"configWarning"}"#] {
        assert_eq!(codex_trust_override(line, OURS, 4, &CodexUserHooks::default()), Ok(None), "{line}");
    }
    let one = listed(&[hook("stop", "sessionFlags", OURS)]);
    assert_eq!(
        codex_trust_override(&one, OURS, 4, &CodexUserHooks::default()),
        Err(CodexTrustError::Incomplete { found: 1, expected: 4 })
    );
    let refused = r#"{"id":2,"error":{"code":-32600,"message":"unknown variant hooks/list"}}"#;
    assert!(
        matches!(codex_trust_override(refused, OURS, 4, &CodexUserHooks::default()), Err(CodexTrustError::Refused(why)) if why.contains("hooks/list"))
    );
}

#[test]
fn commands_are_quoted() {
    let overrides = codex_hook_overrides("a \"b\" \\ \u{7f}", false, &CodexUserHooks::default());
    assert_eq!(overrides.len(), 4);
    let expected =
        r#"hooks.SessionStart=[{hooks=[{type="command",command="a \"b\" \\ \u007f",timeout=60}]}]"#;
    assert_eq!(overrides[0], expected);
    let offloading = codex_hook_overrides("a", true, &CodexUserHooks::default());
    assert_eq!(offloading[4], r#"hooks.PostToolUse=[{hooks=[{type="command",command="a",timeout=10}]}]"#);
    assert_eq!(
        codex_server_overrides("throughline", "/x", &["mcp".to_owned(), "a\"".to_owned()]),
        [r#"mcp_servers.throughline.command="/x""#, r#"mcp_servers.throughline.args=["mcp","a\""]"#]
    );
}

#[test]
fn the_users_hooks_of_the_command_line_come_first() {
    let arguments =
        ["-c", "hooks.Stop=[1]", "-c", "hooks.Mine=[2]", "-c", "hooks.state={\"k\"={trusted_hash=\"h\"}}"];
    let (user, _) = CodexUserHooks::take(&arguments.map(Into::into)).unwrap();
    let overrides = codex_hook_overrides("a", false, &user);
    assert_eq!(overrides.len(), 5);
    assert_eq!(overrides[2], r#"hooks.Stop=[1,{hooks=[{type="command",command="a",timeout=60}]}]"#);
    assert_eq!(overrides[4], "hooks.Mine=[2]");
    let state = codex_trust_override(&listed(&[hook("stop", "sessionFlags", OURS)]), OURS, 1, &user)
        .unwrap()
        .unwrap();
    assert!(state.ends_with(r#",\"k\"={trusted_hash=\"h\"}}"#.replace('\\', "").as_str()), "{state}");
}
