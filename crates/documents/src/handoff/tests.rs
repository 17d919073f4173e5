//! Handoffs, and the texts that are made of them.

use serde_json::json;
use throughline_conversation::{
    CheckpointReason, CheckpointRecord, Message, Millis, Seq, ToolCall, ToolResult,
};
use throughline_ledger::{Ledger, RequestNotes, StepNote};

use super::{Handoff, HandoffInput, ResumeFor, handoff, recovery_text, resume_text};
use crate::{ChecklistItem, GitStatus, State};

const SCRATCHPAD: &str = "## Current Plan\n1. [x] look\n2. [ ] fix\n3. [ ] test\n\n## Key Decisions\n- Use tables\n\n\
                          ## Blockers\n- None currently";

fn git() -> GitStatus {
    GitStatus {
        branch: "main".to_owned(),
        head_commit: "0123abcd".to_owned(),
        modified: vec!["a.rs".to_owned()],
        untracked: vec!["b.rs".to_owned()],
    }
}

fn sample() -> Handoff {
    let git = git();
    handoff(&HandoffInput {
        title: "Fix it",
        hat: "builder",
        git: Some(&git),
        scratchpad: SCRATCHPAD,
        at: Millis(951_782_400_000),
        ..HandoffInput::default()
    })
}

// S0-31 S0-32 S0-34 S0-35
#[test]
fn all_that_is_known() {
    let expected = json!({
        "generated_at": "2000-02-29T00:00:00.000Z",
        "task_title": "Fix it",
        "current_hat": "builder",
        "branch": "main",
        "head_commit": "0123abcd",
        "completed_items": ["look"],
        "remaining_items": ["fix", "test"],
        "modified_files": ["a.rs"],
        "created_files": ["b.rs"],
        "key_decisions": ["Use tables"],
        "continuation_prompt": "Continue working on: Fix it\nCurrent phase: builder\nNext step: fix",
    });
    let json = serde_json::to_value(sample()).unwrap();
    assert_eq!(json, expected);
    assert_eq!(serde_json::from_value::<Handoff>(json).unwrap(), sample());
}

// S0-31
#[test]
fn keys_in_their_order() {
    let mut ledger = Ledger::default();
    ledger.note(&edit("a.rs"), Some(&ToolResult::text("c1", "done")));
    let scratchpad = format!("{SCRATCHPAD}\n- no key for the service");
    let full =
        handoff(&HandoffInput { scratchpad: &scratchpad, ledger: Some(&ledger), ..HandoffInput::default() });
    let keys = |handoff: &Handoff| {
        let json = serde_json::to_value(handoff).unwrap();
        json.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(full.blocking_issues, ["no key for the service"]);
    assert_eq!(
        keys(&full),
        "generated_at task_title current_hat branch head_commit completed_items remaining_items blocking_issues \
         modified_files created_files key_decisions continuation_prompt ledger"
    );
    assert_eq!(
        keys(&handoff(&HandoffInput::default())),
        "generated_at task_title current_hat branch head_commit completed_items remaining_items modified_files \
         created_files continuation_prompt",
        "empty lists have no key"
    );
}

fn edit(path: &str) -> ToolCall {
    let input = json!({"path": path, "old_text": "x", "new_text": "y"});
    ToolCall { id: "c1".to_owned(), name: "edit_file".to_owned(), input }
}

#[test]
fn what_was_done_is_bounded() {
    let mut ledger = Ledger::default();
    assert_eq!(handoff(&HandoffInput { ledger: Some(&ledger), ..HandoffInput::default() }).ledger, None);
    for number in 1..=60 {
        ledger.note(&edit(&format!("f{number}")), Some(&ToolResult::text("c1", "done")));
    }
    ledger.note(&edit("f0"), Some(&ToolResult::error("c1", "old_text was not found")));
    let done = handoff(&HandoffInput { ledger: Some(&ledger), ..HandoffInput::default() }).ledger.unwrap();
    assert_eq!(done.files.len(), 50);
    // 60 less 50 leaves the first ten out.
    assert_eq!((done.files[0].path.as_str(), done.files[49].path.as_str()), ("f11", "f60"));
    assert_eq!((done.errors.len(), done.errors[0].about.as_str()), (1, "f0"));

    let untracked = (0..203).map(|number| format!("{number:03}")).collect();
    let git = GitStatus { untracked, ..GitStatus::default() };
    let created = handoff(&HandoffInput { git: Some(&git), ..HandoffInput::default() }).created_files;
    assert_eq!(created.len(), 201);
    assert_eq!(&created[199..], ["199", "… and 3 more"]);
}

#[test]
fn a_call_that_was_not_allowed_is_neither_a_command_nor_an_open_error() {
    let mut ledger = Ledger::default();
    let input = json!({"command": "cargo publish"});
    let call = ToolCall { id: "c1".to_owned(), name: "shell".to_owned(), input };
    for refusal in [
        "The user declined this call of shell; it was not run. Do not try to reach the same in another way.",
        "The call of shell was not run; it needs the user's consent (it runs a command). The user declined it and says: later",
        "The call of shell was not run: the rule shell(cargo publish) denies it. Do not try to reach the same in another way.",
    ] {
        ledger.note(&call, Some(&ToolResult::error("c1", refusal)));
        let done = handoff(&HandoffInput { ledger: Some(&ledger), ..HandoffInput::default() }).ledger;
        assert_eq!(done, None, "{refusal}");
    }
    ledger.note(&call, Some(&ToolResult::error("c1", "error: no such crate")));
    let done = handoff(&HandoffInput { ledger: Some(&ledger), ..HandoffInput::default() }).ledger.unwrap();
    assert_eq!((done.commands.len(), done.errors.len()), (1, 1));
}

// S0-32
#[test]
fn without_git_its_fields_are_empty() {
    let bare = handoff(&HandoffInput { git: None, ..HandoffInput::default() });
    assert_eq!((bare.branch.as_str(), bare.head_commit.as_str()), ("", ""));
    assert_eq!((bare.modified_files, bare.created_files), (vec![], vec![]));
}

// S0-33
#[test]
fn only_completed_items_are_completed() {
    let statuses = ["completed", "pending", "in_progress", "failed", "Completed"];
    let checklist = statuses.map(|status| ChecklistItem::new(format!("is {status}"), status));
    let made =
        handoff(&HandoffInput { checklist: &checklist, scratchpad: SCRATCHPAD, ..HandoffInput::default() });
    assert_eq!(made.completed_items, ["is completed"]);
    assert_eq!(made.remaining_items, ["is pending", "is in_progress", "is failed", "is Completed"]);
}

// S0-33: without a task, the steps are those that the model keeps itself.
#[test]
fn the_models_own_checklist_goes_before_the_scratchpad() {
    let step =
        |text: &str, status: &str| StepNote { description: text.to_owned(), status: status.to_owned() };
    let checklist = vec![step("look", "completed"), step("fix", "in_progress"), step("tell", "pending")];
    let ledger = Ledger { checklist, ..Ledger::default() };
    let input = HandoffInput { ledger: Some(&ledger), scratchpad: SCRATCHPAD, ..HandoffInput::default() };
    let made = handoff(&input);
    assert_eq!(made.completed_items, ["look"]);
    assert_eq!(made.remaining_items, ["fix", "tell"]);
    let given = [ChecklistItem::new("of the task", "pending")];
    let made = handoff(&HandoffInput { checklist: &given, ..input });
    assert_eq!(made.remaining_items, ["of the task"], "a task's own list goes before both");
}

// S0-35
#[test]
fn when_no_step_is_left() {
    let done = [ChecklistItem::new("a", "completed")];
    let made = handoff(&HandoffInput { title: "T", hat: "h", checklist: &done, ..HandoffInput::default() });
    assert_eq!(
        made.continuation_prompt,
        "Continue working on: T\nCurrent phase: h\nNext step: Complete the task"
    );
}

// S0-35 S0-38
#[test]
fn unknown_fields_are_left_out() {
    let bare = handoff(&HandoffInput { title: "fix calc", ..HandoffInput::default() });
    assert_eq!(bare.continuation_prompt, "Continue working on: fix calc\nNext step: Complete the task");
    assert_eq!(
        resume_text(&bare, None, ResumeFor::SameWork),
        "## Resuming Session\n\n**Task**: fix calc\n\n\n**Continue with**: Continue working on: fix calc\nNext step: \
         Complete the task\n"
    );
    let nothing = handoff(&HandoffInput::default());
    assert_eq!(nothing.continuation_prompt, "");
    assert_eq!(
        resume_text(&nothing, Some("It failed.\n"), ResumeFor::SameWork),
        "## Resuming Session\n\n\n\nIt failed.\n"
    );
}

// O-07
#[test]
fn a_goal_replaces_a_missing_title() {
    let state = State::of("fix the parser\nand more", "", "", "");
    let input = HandoffInput { state: Some(&state), ..HandoffInput::default() };
    assert_eq!(handoff(&input).task_title, "fix the parser");
    assert_eq!(handoff(&HandoffInput { title: "T", ..input }).task_title, "T");
}

// S0-38
#[test]
fn the_text_of_a_resume() {
    let expected = "## Resuming Session\n\n**Task**: Fix it\n**Branch**: main\n**Progress**: 1/3 items completed\n\n\
                    **Remaining**:\n- fix\n- test\n\n**Continue with**: Continue working on: Fix it\nCurrent phase: \
                    builder\nNext step: fix\n";
    assert_eq!(resume_text(&sample(), None, ResumeFor::SameWork), expected);
    assert_eq!(
        resume_text(&sample(), Some("It failed.\n"), ResumeFor::SameWork),
        format!("{expected}\nIt failed.\n")
    );
    let done = Handoff { remaining_items: vec![], continuation_prompt: "go".to_owned(), ..sample() };
    let expected = "## Resuming Session\n\n**Task**: Fix it\n**Branch**: main\n**Progress**: 1/1 items completed\n\n\
                    \n**Continue with**: go\n";
    assert_eq!(resume_text(&done, None, ResumeFor::SameWork), expected);
}

// S0-38
#[test]
fn a_new_request_is_not_followed_by_another_task() {
    let about = |made: &Handoff| resume_text(made, Some("It failed.\n"), ResumeFor::NewRequest);
    for answer in [Some("It rounds to the nearest now."), None] {
        let requests = asked(answer);
        let input =
            HandoffInput { requests: Some(&requests), scratchpad: SCRATCHPAD, ..HandoffInput::default() };
        assert_eq!(
            about(&handoff(&input)),
            "## Resuming Session\n\n**Progress**: 1/3 items completed\n\n**Remaining**:\n- fix\n- test\n\nIt failed.\n"
        );
        let state = State::of("a calculator", "", "", "");
        let of_goal = handoff(&HandoffInput { state: Some(&state), ..input });
        assert!(
            about(&of_goal).starts_with("## Resuming Session\n\n**Task**: a calculator\n"),
            "{of_goal:?}"
        );
    }
}

// S0-37
#[test]
fn the_text_of_a_failure() {
    let record = CheckpointRecord {
        reason: CheckpointReason::Failure,
        iteration: 1,
        input_tokens: 0,
        output_tokens: 0,
        hat: String::new(),
        messages: Seq(1),
        scratchpad: Seq(0),
        state: Seq(0),
        last_error: Some("no network".to_owned()),
        failed_at: Some(Millis(0)),
        recovery_hint: Some("Try again.".to_owned()),
        handoff: None,
        task: None,
    };
    assert_eq!(
        recovery_text(&record).unwrap(),
        "## Failure Recovery\n\nThe last turn failed at 1970-01-01T00:00:00.000Z: no network\nTry again.\n"
    );
    let bare = CheckpointRecord { failed_at: None, recovery_hint: None, ..record.clone() };
    assert_eq!(recovery_text(&bare).unwrap(), "## Failure Recovery\n\nThe last turn failed: no network\n");
    assert_eq!(recovery_text(&CheckpointRecord { last_error: None, ..record }), None);
}

/// Two requests; `answer` is that to the last one.
fn asked(answer: Option<&str>) -> RequestNotes {
    let mut requests = RequestNotes::default();
    requests.request("Start with the lexer.");
    requests.answered(&Message::assistant("Done."));
    requests.request("Now fix calc.\n\nIt rounds down.");
    if let Some(answer) = answer {
        requests.answered(&Message::assistant(answer));
    }
    requests
}

// S0-31
#[test]
fn a_request_that_was_answered_is_not_what_comes_next() {
    let requests = asked(Some("It rounds to the nearest now."));
    let made = handoff(&HandoffInput { requests: Some(&requests), ..HandoffInput::default() });
    assert_eq!(made.task_title, "Now fix calc.");
    assert_eq!(
        made.continuation_prompt,
        "The last request was answered: Now fix calc.\nNext step: check the answer, then ask the user what comes next"
    );
    assert_eq!(made.requests, ["Now fix calc.\n\nIt rounds down.", "Start with the lexer."]);
    assert_eq!(made.last_answer.as_deref(), Some("It rounds to the nearest now."));
    let text = made.lines().join("\n");
    let expected = "Requests of the user, newest first, word for word:\n- Now fix calc.\n\nIt rounds down.\n- Start with the \
                    lexer.\n\nThe newest request was answered. The end of the answer:\nIt rounds to the nearest now.\n";
    assert!(text.contains(expected), "{text}");
    let json = serde_json::to_value(&made).unwrap();
    assert_eq!(serde_json::from_value::<Handoff>(json).unwrap(), made);
}

// S0-35
#[test]
fn what_is_open_keeps_the_prompt_that_continues_it() {
    let open = asked(None);
    let made = handoff(&HandoffInput { requests: Some(&open), ..HandoffInput::default() });
    assert_eq!(made.continuation_prompt, "Continue working on: Now fix calc.\nNext step: Complete the task");
    assert!(made.lines().join("\n").contains("The newest request is open: it was not answered yet."));
    // A task, a goal and an open step are continued, whether or not the last turn ended with an answer.
    let answered = asked(Some("A part of it."));
    let requests = Some(&answered);
    let of_task = HandoffInput { title: "The parser", requests, ..HandoffInput::default() };
    assert_eq!(
        handoff(&of_task).continuation_prompt,
        "Continue working on: The parser\nNext step: Complete the task"
    );
    let state = State::of("a calculator", "", "", "");
    let of_goal = HandoffInput { state: Some(&state), requests, ..HandoffInput::default() };
    assert_eq!(
        handoff(&of_goal).continuation_prompt,
        "Continue working on: a calculator\nNext step: Complete the task"
    );
    let checklist = [ChecklistItem::new("test it", "pending")];
    let of_step = HandoffInput { checklist: &checklist, requests, ..HandoffInput::default() };
    assert_eq!(
        handoff(&of_step).continuation_prompt,
        "Continue working on: Now fix calc.\nNext step: test it"
    );
}
