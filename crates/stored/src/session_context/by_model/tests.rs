//! What of a model's answer becomes a summary.

use throughline_testkit::view;

use super::{snippets, validated};

const TALK: &str = r#"
user: Make the parser accept trailing commas.
assistant: I change the list rule.
  -> c1 edit {"path": "src/parser/lists.rs"}
results:
  c1 = ok
assistant: Done.
"#;

#[test]
fn files_that_the_log_does_not_name_and_empty_items_are_left_out() {
    let view = view(TALK);
    let answer = r#"Here it is:
```json
{"currentTask": " Accept trailing\ncommas ", "completedSteps": ["Changed the rule", "", "Changed the rule"],
 "pendingSteps": [], "keyDecisions": ["One rule"], "relevantFiles": ["src/parser/lists.rs", "src/invented.rs", "src/"]}
```"#;
    let summary = validated(answer, view.entries()).unwrap();
    assert_eq!(summary.current_task, "Accept trailing commas");
    assert_eq!(summary.completed_steps, ["Changed the rule"]);
    assert_eq!(summary.relevant_files, ["src/parser/lists.rs"]);
}

#[test]
fn an_answer_that_is_no_summary_is_refused_with_the_reason() {
    let view = view(TALK);
    let why = |answer: &str| validated(answer, view.entries()).unwrap_err();
    assert_eq!(why("I cannot help with that."), "its answer has no JSON object");
    assert_eq!(why(r#"{"completedSteps": ["x"]}"#), "its answer names no task");
    assert!(why(r#"{"currentTask": 3}"#).starts_with("its answer cannot be read: "));
    assert!(why("}{").starts_with("its answer has no JSON object"));
}

#[test]
fn raw_lines_are_those_of_the_newest_messages() {
    let lines = snippets(view(TALK).entries());
    assert_eq!(lines.first().unwrap(), "user: Make the parser accept trailing commas.");
    assert_eq!(lines.last().unwrap(), "assistant: Done.");
}
