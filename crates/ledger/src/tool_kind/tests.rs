//! Kinds of tools.

use std::collections::HashMap;

use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolResult};

use super::AGENTS;
use crate::step_kind::StepKind;

fn kind(name: &str, input: Value, result: &str) -> StepKind {
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input };
    StepKind::of_call(&call, Some(&ToolResult::text("c1", result)))
}

#[test]
fn agents_that_share_the_name_of_a_tool_share_its_kind() {
    let mut known: HashMap<&str, StepKind> = HashMap::new();
    for (kind, names) in AGENTS.into_iter().flatten() {
        for name in *names {
            let earlier = *known.entry(name).or_insert(*kind);
            assert_eq!(earlier, *kind, "{name}");
        }
    }
}

#[test]
fn the_items_of_a_checklist_are_a_plan_and_no_other_agent() {
    assert_eq!(
        kind("TaskUpdate", json!({"taskId": "2", "status": "completed"}), "Updated task 2"),
        StepKind::Plan
    );
    assert_eq!(
        kind("TaskCreate", json!({"subject": "Docs", "description": "Write them"}), "ok"),
        StepKind::Plan
    );
    assert_eq!(kind("TaskList", json!({}), "1. [done] Docs"), StepKind::Plan);
    assert_eq!(kind("TaskGet", json!({"taskId": "2"}), "Docs"), StepKind::Plan);
    assert_eq!(
        kind("Task", json!({"prompt": "Explore the store"}), "It has two tables."),
        StepKind::Subagent
    );
}

#[test]
fn waiting_for_another_agent_or_stopping_it_finishes_nothing() {
    for name in ["wait_agent", "list_agents", "spawn_agent", "TaskStop", "TaskOutput"] {
        assert_eq!(kind(name, json!({"task_id": "a"}), "running"), StepKind::Other, "{name}");
    }
}

#[test]
fn an_unknown_tool_is_known_by_what_it_returns() {
    let of = |result: &str| kind("mcp__code__run", json!({"name": "total"}), result);
    assert_eq!(of("src/a.rs:12:fn total()\nsrc/b.rs:7:total();"), StepKind::Search);
    assert_eq!(of("src/a.rs\nsrc/b.rs\ndocs/c.md"), StepKind::Search);
    assert_eq!(of("  1\tfn main() {\n  2\t    total();\n  3\t}"), StepKind::Read);
    assert_eq!(of("- [x] one\n- [ ] two"), StepKind::Plan);
    assert_eq!(of("done"), StepKind::Other);
    assert_eq!(of("The issue was created.\nIts number is 12."), StepKind::Other);
    let asked = json!({"prompt": "Review the change."});
    assert_eq!(kind("mcp__team__review", asked, "Two faults.\nBoth are small."), StepKind::Subagent);
    let page = json!({"url": "https://example.com", "prompt": "What is new?"});
    assert_eq!(kind("mcp__web__page", page, "Nothing.\nIt is old."), StepKind::Other);
}

/// The names of the tools that recorded sessions of five agents call, with arguments as they have them.
#[test]
fn the_tools_of_recorded_sessions_have_the_kinds_of_what_they_do() {
    let path = || json!({"file_path": "/w/a.rs"});
    let edit = || json!({"file_path": "/w/a.rs", "old_string": "a", "new_string": "b"});
    let command = || json!({"command": "make"});
    let patch = || json!({"patchText": "*** Begin Patch\n*** Add File: a.md\n+text\n*** End Patch"});
    let recorded = [
        ("Bash", command(), StepKind::Other),
        ("bash", command(), StepKind::Other),
        ("exec_command", json!({"cmd": "sed -n '1,220p' a.rs"}), StepKind::Read),
        ("Read", path(), StepKind::Read),
        ("read", json!({"filePath": "/w/a.rs"}), StepKind::Read),
        ("Edit", edit(), StepKind::Edit),
        ("edit", json!({"path": "a.rs", "oldText": "a", "newText": "b"}), StepKind::Edit),
        ("Write", json!({"file_path": "/w/a.rs", "content": "text"}), StepKind::Edit),
        ("write", json!({"path": "a.rs", "content": "text"}), StepKind::Edit),
        ("apply_patch", patch(), StepKind::Edit),
        ("Grep", json!({"pattern": "total", "path": "/w"}), StepKind::Search),
        ("grep", json!({"pattern": "total"}), StepKind::Search),
        ("Glob", json!({"pattern": "**/*.rs"}), StepKind::Search),
        ("glob", json!({"pattern": "**/*.rs", "path": "/w"}), StepKind::Search),
        ("WebSearch", json!({"query": "worktree"}), StepKind::Search),
        ("web_search_call", json!({}), StepKind::Search),
        ("websearch", json!({"query": "sandbox"}), StepKind::Search),
        ("webfetch", json!({"url": "https://example.com"}), StepKind::Search),
        ("codesearch", json!({"query": "sandbox"}), StepKind::Search),
        ("TaskCreate", json!({"subject": "Docs", "description": "Write"}), StepKind::Plan),
        ("TaskUpdate", json!({"taskId": "2", "addBlockedBy": ["1"]}), StepKind::Plan),
        ("TaskList", json!({}), StepKind::Plan),
        ("TaskGet", json!({"taskId": "2"}), StepKind::Plan),
        ("TodoWrite", json!({"todos": [{"content": "a", "status": "pending"}]}), StepKind::Plan),
        ("todowrite", json!({"todos": [{"content": "a", "status": "pending"}]}), StepKind::Plan),
        ("update_plan", json!({"plan": [{"step": "a", "status": "pending"}]}), StepKind::Plan),
        ("EnterPlanMode", json!({}), StepKind::Plan),
        ("ExitPlanMode", json!({"plan": "# Plan"}), StepKind::Plan),
        ("Task", json!({"description": "Explore", "prompt": "Explore it"}), StepKind::Subagent),
        ("task", json!({"description": "Review", "prompt": "Review it"}), StepKind::Subagent),
        ("TaskOutput", json!({"task_id": "b50", "block": true}), StepKind::Other),
        ("TaskStop", json!({"task_id": "a2f"}), StepKind::Other),
        ("spawn_agent", json!({"task_name": "discovery", "message": "Look"}), StepKind::Other),
        ("wait_agent", json!({"timeout_ms": 10_000}), StepKind::Other),
        ("list_agents", json!({}), StepKind::Other),
        ("request_user_input", json!({"questions": []}), StepKind::Other),
        ("AskUserQuestion", json!({"questions": []}), StepKind::Other),
        ("Skill", json!({"skill": "plans", "args": "PR 1"}), StepKind::Other),
        ("mcp__linear-server__create_issue", json!({"title": "Migrate"}), StepKind::Other),
        ("mcp__linear-server__list_issues", json!({"query": "12"}), StepKind::Search),
        ("mcp__pencil__get_editor_state", json!({"include_schema": true}), StepKind::Other),
    ];
    for (name, input, expected) in recorded {
        assert_eq!(kind(name, input, "ok"), expected, "{name}");
    }
}
