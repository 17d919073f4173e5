//! Tests of the decision.

mod commands;
mod edited;
mod hosts;
mod modes;
mod paths;
mod properties;
mod suggestions;

use std::path::Path;

use expect_test::Expect;
use serde_json::json;
use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect, ReadGrants};

use super::{Permissions, RuleKind, Rules};
use crate::decision::Decision;
use crate::mode::Mode;

/// `tool` or `tool subject`; what the tool does follows from its name.
fn call(text: &str) -> (ToolCall, Access) {
    let (name, subject) = text.split_once(' ').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let effect = match name {
        "read_file" | "grep" => Effect::Read,
        "edit_file" | "write_file" => Effect::Edit,
        "shell" => Effect::Command,
        "fetch" => Effect::Network,
        _ => Effect::Other,
    };
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input: json!({}) };
    (call, Access { effect, subject: subject.map(str::to_owned) })
}

/// Rules as `allow shell(git *)`.
fn rules(lines: &[&str]) -> Rules {
    let mut rules = Rules::new();
    for line in lines {
        let (kind, text) = line.split_once(' ').unwrap();
        let kinds = [RuleKind::Deny, RuleKind::Ask, RuleKind::Allow];
        let kind = kinds.into_iter().find(|own| own.name() == kind).unwrap();
        rules.add(kind, text, "here").unwrap();
    }
    rules
}

/// Permissions of file tools that reach everything.
fn permissions(mode: Mode, lines: &[&str]) -> Permissions {
    Permissions::new(mode, rules(lines), "/w").editing(vec!["/".into()])
}

fn decided(permissions: &Permissions, text: &str) -> Decision {
    let (call, access) = call(text);
    permissions.decide(&call, &access)
}

fn reason_for(permissions: &Permissions, text: &str) -> String {
    match decided(permissions, text) {
        Decision::Allow { because } => format!("{text:?} runs: {because}"),
        Decision::Ask { why, rule: Some(rule) } => format!("{text:?} asks, {rule}: {why}"),
        Decision::Ask { why, rule: None } => format!("{text:?} asks: {why}"),
        Decision::Deny { because } => {
            format!("{text:?} is refused: {}", because.split('.').next().unwrap_or_default())
        }
    }
}

fn check(mode: Mode, lines: &[&str], calls: &[&str], expected: &Expect) {
    let permissions = permissions(mode, lines);
    let all: String = calls.iter().map(|text| reason_for(&permissions, text) + "\n").collect();
    expected.assert_eq(&all);
}

fn runs(permissions: &Permissions, text: &str) -> bool {
    matches!(decided(permissions, text), Decision::Allow { .. })
}

#[test]
fn reading_outside_asks_once_for_each_folder_where_a_user_answers() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap();
    std::fs::write(real.join("a.txt"), "").unwrap();
    let file = real.join("a.txt");
    let text = file.to_str().unwrap();
    let call = ToolCall {
        id: "c".to_owned(),
        name: "read_file".to_owned(),
        input: serde_json::json!({"path": text}),
    };
    let access = Access::of(Effect::Read, &call.input, "path");
    let unattended = Permissions::new(Mode::Ask, Rules::new(), "/work");
    assert!(matches!(unattended.decide_at(&call, &access, Some(&file)), Decision::Allow { .. }));
    let asking = Permissions::new(Mode::Ask, Rules::new(), "/work").asking_to_read(ReadGrants::default());
    assert!(unattended.read_grants().is_none() && asking.read_grants().is_some());
    let Decision::Ask { why, rule: None } = asking.decide_at(&call, &access, Some(&file)) else { panic!() };
    assert!(why.contains(real.to_str().unwrap()), "{why}");
    asking.grant_folder(&access, Some(&file));
    assert!(matches!(asking.decide_at(&call, &access, Some(&real.join("b.txt"))), Decision::Allow { .. }));
    assert!(matches!(asking.decide_at(&call, &access, Some(Path::new("/etc/hosts"))), Decision::Ask { .. }));
    assert!(matches!(asking.decide_at(&call, &access, Some(Path::new("/work/x"))), Decision::Allow { .. }));
    asking.set_mode(Mode::Yolo);
    assert!(matches!(
        asking.decide_at(&call, &access, Some(Path::new("/etc/hosts"))),
        Decision::Allow { .. }
    ));
}
