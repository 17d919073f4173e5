//! What is read although it has not the usual form: numbers, ids of calls, logs with lost records.

use serde_json::json;
use throughline_conversation::{
    ContentBlock, Message, Role, ToolCall, continue_note, is_continue_note, is_wrapper, project,
    project_readable, whole_number, with_free_ids,
};
use throughline_testkit::{WordCounter, records, render_view};

#[test]
fn a_whole_number_may_have_a_fraction_of_zero_or_be_a_text() {
    for value in [json!(12), json!(12.0), json!("12"), json!(" 12 ")] {
        assert_eq!(whole_number(&value), Some(12), "{value}");
    }
    assert_eq!(whole_number(&json!(0.0)), Some(0));
    assert_eq!(whole_number(&json!(u64::MAX)), Some(u64::MAX));
    let none =
        [json!(-1), json!(-1.0), json!(1.5), json!(1e16), json!("1.5"), json!("x"), json!(null), json!([1])];
    for value in none {
        assert_eq!(whole_number(&value), None, "{value}");
    }
}

#[test]
fn each_call_of_an_answer_gets_an_id_that_no_other_has() {
    let call = |id: &str| {
        ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: "read".to_owned(), input: json!({}) })
    };
    let ids = |answer: &[&str], taken: &[&str]| {
        let content = answer.iter().map(|id| call(id)).collect();
        let message = Message { role: Role::Assistant, content };
        let free = with_free_ids(&message, |id| taken.contains(&id));
        free.tool_calls().map(|call| call.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&["a", "b"], &[]), ["a", "b"]);
    assert_eq!(ids(&["a", "a", "a"], &[]), ["a", "a-2", "a-3"]);
    assert_eq!(ids(&["a", "b"], &["a", "a-2"]), ["a-3", "b"]);
    assert_eq!(ids(&["", ""], &["call-2"]), ["call-3", "call-4"]);
}

#[test]
fn the_message_that_continues_a_turn_is_known() {
    assert!(is_continue_note(&continue_note()));
    assert!(!is_continue_note(&Message::user("[continue] please")));
}

#[test]
fn elements_that_agents_insert_are_known_by_their_names() {
    assert!(is_wrapper("system-reminder"));
    assert!(!is_wrapper("p") && !is_wrapper(""));
}

#[test]
fn records_that_do_not_fit_are_left_out_and_named() {
    let mut log = records("user: one\nassistant: first\nuser: two\nassistant: second");
    let whole = project(&log, &WordCounter).unwrap();
    let (view, left_out) = project_readable(&log, &WordCounter);
    assert_eq!((render_view(&view), left_out.len()), (render_view(&whole), 0));
    let twice = log[1].clone();
    log.insert(2, twice);
    assert!(project(&log, &WordCounter).is_err());
    let (view, left_out) = project_readable(&log, &WordCounter);
    assert_eq!((render_view(&view), left_out.len()), (render_view(&whole), 1));
}
