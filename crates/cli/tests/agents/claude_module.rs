//! Claude Code whose compactions are ours.

use std::fs;

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Thinking, ToolCall, Usage};
use throughline_testserver::Answer;

use crate::bodies::{CONTEXT, text_of};
use crate::claude::{HABITS, do_a_task, headless, stage_with, terminal};
use crate::ran::{assert_says, run};
use crate::stage::Stage;

/// What Claude Code asks for where it compacts by itself.
const OWN_SUMMARY: &str = "Your task is to create a detailed summary";

/// More than the agent takes before it compacts.
const FULL: Usage = Usage { input: 120_000, cache_read: 0, cache_write: 0, output: 10, searches: 0 };

/// Fails if Claude Code has asked a model for a summary.
#[track_caller]
fn no_summary_was_asked_for(stage: &Stage) {
    let asked = |body: &Value| text_of(&body["messages"]).contains(OWN_SUMMARY);
    assert!(!stage.server.received().iter().any(|one| asked(&one.body)), "a model was asked");
}

/// Steps of commands whose answers fill the window, then an end.
fn long_turn(stage: &Stage, from: usize, to: usize) {
    for step in from..=to {
        let call = Answer::call(
            &format!("toolu_{step}"),
            "Bash",
            json!({"command": format!("seq {step}000 {step}900"), "description": "Counts"}),
        );
        stage.server.push(if step % 4 == 0 { call.usage(FULL) } else { call });
    }
    stage.server.push(Answer::text("All counted."));
}

// S1-12 S1-13
#[test]
fn a_compaction_by_hand_leaves_our_view_and_the_next_request_has_it() {
    let Some(stage) = stage_with(HABITS) else { return };
    let terminal = terminal(&stage, &[], &[]);
    do_a_task(&stage);
    terminal.enter("Count the lines of a.txt. Rule: never delete b.txt.");
    terminal.shows("There are two.");
    terminal.enter("/compact");
    stage.compacted(1);
    stage.server.push(Answer::text("Continuing now."));
    terminal.enter("Continue.");
    terminal.shows("Continuing now.");
    let last = stage.last_request();
    assert_says(
        &last,
        &["Count the lines of a.txt. Rule: never delete b.txt.", CONTEXT, "a.txt", "Continue."],
    );
    assert_eq!(last.matches(CONTEXT).count(), 1, "{last}");
    no_summary_was_asked_for(&stage);
    assert_says(
        &stage.status(),
        &["compactions 1\n  1  context delivered\n", "(manual): answered from the whole transcript after"],
    );
}

// S1-02 S1-12
#[test]
fn compactions_by_threshold_within_a_turn_keep_pairs_and_a_resume_begins_with_the_view() {
    let Some(mut stage) = stage_with(HABITS) else { return };
    stage.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
    long_turn(&stage, 1, 12);
    headless(&stage, &[], &["Count. Rule: never delete a.txt."]);
    no_summary_was_asked_for(&stage);
    let status = stage.status();
    assert_says(&status, &["(auto): answered after", "context delivered"]);
    assert!(!status.contains("left to claude") && !status.contains("not delivered"), "{status}");
    assert_eq!(status.matches("from the whole transcript").count(), 1, "only the first: {status}");
    let bodies = stage.server.received();
    for body in bodies.iter().map(|one| &one.body).filter(|body| body["messages"].is_array()) {
        every_call_has_its_result(body);
    }
    stage.server.push(Answer::text("Resumed."));
    headless(&stage, &[], &["--resume", &stage.session(), "And now?"]);
    let last = stage.last_request();
    assert_says(&last, &["Count. Rule: never delete a.txt.", CONTEXT, "And now?"]);
}

/// An answer that thinks and then calls a command.
fn thinks(step: usize, usage: Usage) -> Answer {
    let thinking = Thinking {
        text: format!("Step {step} needs a count."),
        signature: Some(format!("signature-{step}")),
        redacted: None,
    };
    let call = ToolCall {
        id: format!("toolu_{step}"),
        name: "Bash".to_owned(),
        input: json!({"command": format!("seq {step}000 {step}900"), "description": "Counts"}),
    };
    Answer::blocks(vec![ContentBlock::Thinking(thinking), ContentBlock::ToolCall(call)]).usage(usage)
}

// S1-02 S1-12
#[test]
fn a_model_that_thinks_continues_from_the_last_steps_as_text_and_every_open_call_has_its_thinking() {
    let Some(mut stage) = stage_with(HABITS) else { return };
    stage.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
    stage.set("MAX_THINKING_TOKENS", "4000");
    for step in 1..=12 {
        let usage = if step % 4 == 0 { FULL } else { Usage { input: 9_000, ..FULL } };
        stage.server.push(thinks(step, usage));
    }
    stage.server.push(Answer::text("All counted."));
    headless(&stage, &[], &["Count. Rule: never delete a.txt."]);
    no_summary_was_asked_for(&stage);
    let status = stage.status();
    assert_says(&status, &["(auto): answered after"]);
    assert!(!status.contains("left to claude") && !status.contains("not delivered"), "{status}");
    assert_eq!(status.matches("from the whole transcript").count(), 1, "only the first: {status}");
    let received = stage.server.received();
    let bodies: Vec<&Value> =
        received.iter().map(|one| &one.body).filter(|body| body["thinking"]["type"].is_string()).collect();
    assert!(bodies.len() > 10, "the model does not think: {}", bodies.len());
    for body in &bodies {
        every_call_has_its_result(body);
        open_calls_have_their_thinking(body);
    }
    let views: Vec<String> = bodies.iter().map(|body| text_of(&body["messages"])).collect();
    let last = views.last().unwrap();
    assert_says(last, &["Count. Rule: never delete a.txt.", CONTEXT, "The last steps:", "seq 1000 1900"]);
    assert_eq!(last.matches("The last steps:").count(), 1, "{last}");
}

/// Fails where the model's message before the newest results does not begin with its thinking: providers refuse that.
#[track_caller]
fn open_calls_have_their_thinking(body: &Value) {
    let messages = body["messages"].as_array().unwrap();
    let [.., calls, results] = messages.as_slice() else { return };
    let first = |message: &Value| message["content"][0]["type"].as_str().unwrap_or_default().to_owned();
    if first(results) == "tool_result" {
        assert_eq!(first(calls), "thinking", "{body}");
    }
}

// S1-12
#[test]
fn the_conversation_of_a_subagent_is_compacted_by_itself() {
    let Some(mut stage) = stage_with(HABITS) else { return };
    stage.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
    let task = "Count to nine thousand. Rule: never skip.";
    let input = json!({
        "description": "Counts",
        "prompt": task,
        "subagent_type": "general-purpose",
        "run_in_background": false
    });
    stage.server.push(Answer::call("toolu_main", "Agent", input));
    long_turn(&stage, 1, 12);
    stage.server.push(Answer::text("The subagent has counted."));
    let ended = headless(&stage, &[], &["Let a subagent count."]);
    assert_eq!(ended["result"], "The subagent has counted.", "{ended}");
    no_summary_was_asked_for(&stage);
    let status = stage.status();
    assert_says(&status, &["compaction of subagent", "(auto): answered after"]);
    assert!(!status.contains("left to claude"), "{status}");
    let received = stage.server.received();
    for body in received.iter().map(|one| &one.body).filter(|body| body["messages"].is_array()) {
        every_call_has_its_result(body);
    }
    let requests = stage.requests();
    let of_subagent: Vec<&String> = requests.iter().filter(|text| text.contains(task)).collect();
    let compacted = of_subagent.iter().filter(|text| text.contains(CONTEXT));
    for text in compacted {
        assert_says(text, &["Current task: Count to nine thousand."]);
        assert!(!text.contains("Let a subagent count."), "{text}");
    }
    let last = requests.last().unwrap();
    assert!(last.contains("All counted.") && !last.contains(CONTEXT), "{last}");
}

/// Fails where a call is not followed by its result, or a result has another text than the tool's.
#[track_caller]
fn every_call_has_its_result(body: &Value) {
    let messages = body["messages"].as_array().unwrap();
    let ids = |message: &Value, kind: &str, key: &str| -> Vec<String> {
        let blocks = message["content"].as_array().cloned().unwrap_or_default();
        let of_kind = blocks.into_iter().filter(|block| block["type"] == kind);
        of_kind.map(|block| block[key].as_str().unwrap_or_default().to_owned()).collect()
    };
    for pair in messages.windows(2) {
        let (mut calls, mut results) =
            (ids(&pair[0], "tool_use", "id"), ids(&pair[1], "tool_result", "tool_use_id"));
        calls.sort();
        results.sort();
        if !calls.is_empty() {
            assert_eq!(calls, results, "{body}");
        }
    }
    let text = text_of(&body["messages"]);
    assert!(!text.contains("cut off before the tool answered"), "{text}");
    assert!(!text.contains("Tool result missing"), "{text}");
}

#[test]
fn after_a_compaction_a_file_that_was_read_can_be_edited_and_another_cannot() {
    let Some(stage) = stage_with(HABITS) else { return };
    fs::write(stage.work().join("unread.txt"), "alpha\n").unwrap();
    let terminal = terminal(&stage, &[], &[]);
    do_a_task(&stage);
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    terminal.enter("/compact");
    stage.compacted(1);
    for (id, name, old) in [("toolu_8", "a.txt", "gamma"), ("toolu_9", "unread.txt", "alpha")] {
        let file = stage.work().join(name);
        let input = json!({"file_path": file, "old_string": old, "new_string": "delta"});
        stage.server.push(Answer::call(id, "Edit", input));
    }
    stage.server.push(Answer::text("Edited."));
    terminal.enter("Edit both.");
    terminal.shows("Edited.");
    assert_eq!(fs::read_to_string(stage.work().join("a.txt")).unwrap(), "alpha\ndelta\n");
    assert_eq!(fs::read_to_string(stage.work().join("unread.txt")).unwrap(), "alpha\n");
}

#[test]
fn without_an_answer_claude_compacts_by_itself_and_gets_its_context() {
    let Some(stage) = stage_with(HABITS) else { return };
    let terminal = terminal(&stage, &[], &[]);
    do_a_task(&stage);
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    // A session that the user has deleted is not compacted by us.
    let listed = || {
        let list = run(&mut stage.throughline(&["sessions"])).done();
        list.split_whitespace().find(|word| word.starts_with("claude-")).map(str::to_owned)
    };
    stage.wait("the session is not stored", || listed().is_some());
    run(&mut stage.throughline(&["sessions", "delete", &listed().unwrap(), "--yes"])).done();
    terminal.enter("/compact");
    stage.compacted(1);
    stage.server.push(Answer::text("Continuing now."));
    terminal.enter("Continue.");
    terminal.shows("Continuing now.");
    assert_says(&stage.last_request(), &["They count lines."]);
}
