//! What hooks say.

use std::time::Duration;

use serde_json::json;

use super::*;
use crate::hook::HookOrigin;
use crate::matcher::Matcher;

fn hook(event: HookEvent) -> Hook {
    Hook {
        event,
        action: HookAction::Command("check.sh --all".to_owned()),
        timeout: Duration::from_secs(5),
        is_async: false,
        place: "hooks.json".to_owned(),
        origin: HookOrigin::User,
        plugin: None,
        matcher: Matcher::parse("").unwrap(),
    }
}

fn said(event: HookEvent, ending: HookEnding, stdout: &str, stderr: &str) -> HookAnswer {
    read(&hook(event), &HookRun { ending, stdout: stdout.to_owned(), stderr: stderr.to_owned() })
}

fn answered(event: HookEvent, stdout: &Value) -> HookAnswer {
    said(event, HookEnding::Exit(0), &stdout.to_string(), "")
}

#[test]
fn status_two_declines_with_the_reason_on_standard_error() {
    let call = said(HookEvent::PreToolUse, HookEnding::Exit(2), "{\"continue\":false}", "no tabs\n");
    assert_eq!(call.permission, Some(HookPermission::Deny("no tabs".to_owned())));
    assert_eq!(call.stop, None, "standard output does not count");
    let stop = said(HookEvent::Stop, HookEnding::Exit(2), "", "run the tests first");
    assert_eq!(stop.block.as_deref(), Some("run the tests first"));
    let end = said(HookEvent::SessionEnd, HookEnding::Exit(2), "", "not saved");
    assert_eq!((end.block, end.notices), (None, vec!["not saved".to_owned()]));
    let silent = said(HookEvent::Stop, HookEnding::Exit(2), "", "");
    assert_eq!(silent.block.as_deref(), Some("the hook `check.sh --all` declines it"));
}

#[test]
fn a_hook_that_fails_is_named_and_stops_nothing() {
    let endings = [
        HookEnding::Exit(1),
        HookEnding::TimedOut,
        HookEnding::Failed("no such file".to_owned()),
        HookEnding::Exit(0),
    ];
    for ending in endings {
        let answer = said(HookEvent::PreToolUse, ending.clone(), "{broken", "jq: error\nmore");
        let shown = answer.notices.join("\n");
        assert!(shown.contains("PreToolUse `check.sh --all` (hooks.json)"), "{ending:?}: {shown}");
        assert_eq!(HookAnswer { notices: Vec::new(), ..answer }, HookAnswer::default(), "{ending:?}");
    }
    let cancelled = said(HookEvent::Stop, HookEnding::Cancelled, "", "");
    assert_eq!(cancelled, HookAnswer::default());
}

#[test]
fn plain_output_is_context_where_the_event_takes_it() {
    let said_plain = |event| said(event, HookEnding::Exit(0), "On branch main\n", "").context;
    assert_eq!(said_plain(HookEvent::SessionStart), ["On branch main"]);
    assert_eq!(said_plain(HookEvent::UserPromptSubmit), ["On branch main"]);
    assert_eq!(said_plain(HookEvent::PostToolUse), Vec::<String>::new());
}

#[test]
fn an_object_decides_about_a_call_in_both_forms() {
    let new = json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": "use rg" } });
    let old = json!({ "decision": "block", "reason": "use rg" });
    for value in [new, old] {
        let answer = answered(HookEvent::PreToolUse, &value);
        assert_eq!(answer.permission, Some(HookPermission::Deny("use rg".to_owned())), "{value}");
    }
    let changed = json!({ "hookSpecificOutput": { "permissionDecision": "allow", "updatedInput": { "command": "rg x" } } });
    let answer = answered(HookEvent::PreToolUse, &changed);
    assert_eq!(answer.permission, Some(HookPermission::Allow));
    assert_eq!(answer.input, Some(json!({ "command": "rg x" })));
    let asked =
        json!({ "hookSpecificOutput": { "decision": { "behavior": "deny", "message": "not today" } } });
    let answer = answered(HookEvent::PermissionRequest, &asked);
    assert_eq!(answer.permission, Some(HookPermission::Deny("not today".to_owned())));
}

#[test]
fn an_object_speaks_to_the_model_and_to_the_user_and_ends_the_turn() {
    let value = json!({ "continue": false, "stopReason": "build is red", "systemMessage": "see ci.log",
        "decision": "block", "reason": "the file has tabs",
        "hookSpecificOutput": { "additionalContext": "lint: 3 errors", "updatedToolOutput": { "stdout": "cut" } } });
    let answer = answered(HookEvent::PostToolUse, &value);
    assert_eq!(answer.stop.as_deref(), Some("build is red"));
    assert_eq!(answer.notices, ["see ci.log"]);
    assert_eq!(answer.block.as_deref(), Some("the file has tabs"));
    assert_eq!(answer.context_text().as_deref(), Some("lint: 3 errors"));
    assert_eq!(answer.output.as_deref(), Some("cut"));
}

#[test]
fn a_text_for_the_model_is_cut_at_a_character_and_says_so() {
    let long = "é".repeat(MAX_CONTEXT + 5);
    let answer = said(HookEvent::SessionStart, HookEnding::Exit(0), &long, "");
    let text = answer.context_text().unwrap();
    assert!(text.starts_with(&"é".repeat(MAX_CONTEXT)), "whole characters");
    assert!(text.ends_with("\n[10 more bytes of the hook's output are not shown]"));
}

#[test]
fn of_several_answers_the_strictest_decision_counts_and_all_reasons_are_given() {
    let deny = |why: &str| HookAnswer {
        permission: Some(HookPermission::Deny(why.to_owned())),
        ..HookAnswer::default()
    };
    let allow = HookAnswer { permission: Some(HookPermission::Allow), ..HookAnswer::default() };
    let ask =
        HookAnswer { permission: Some(HookPermission::Ask("sure?".to_owned())), ..HookAnswer::default() };
    let both = allow.clone().and(deny("a")).and(ask.clone()).and(deny("b"));
    assert_eq!(both.permission, Some(HookPermission::Deny("a\nb".to_owned())));
    assert_eq!(allow.and(ask).permission, Some(HookPermission::Ask("sure?".to_owned())));
}

#[test]
fn a_judge_declines_with_its_reason_and_another_answer_stops_nothing() {
    let judged = |event: HookEvent, answer: &str| {
        let hook = Hook { action: HookAction::Prompt("is it done?".to_owned()), ..hook(event) };
        let (ending, stdout) = (HookEnding::Exit(0), answer.to_owned());
        read(&hook, &HookRun { ending, stdout, stderr: String::new() })
    };
    assert_eq!(judged(HookEvent::Stop, r#"{"ok": true}"#), HookAnswer::default());
    let stop = judged(HookEvent::Stop, "```json\n{\"ok\": false, \"reason\": \"no tests ran\"}\n```");
    assert_eq!(stop.block.as_deref(), Some("no tests ran"));
    let call = judged(HookEvent::PreToolUse, r#"{"ok": false}"#);
    assert_eq!(call.permission, Some(HookPermission::Deny("the hook `is it done?` declines it".to_owned())));
    let vague = judged(HookEvent::Stop, "Yes, I think so.");
    assert!(vague.block.is_none() && vague.notices[0].contains("gave no judgement"), "{vague:?}");
}
