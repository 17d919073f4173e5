//! Requests and the answer to the last one.

use throughline_conversation::{Message, ToolResult};

use super::{ANSWER, REQUESTS, RequestNotes};

fn newest_first(notes: &RequestNotes) -> Vec<&str> {
    notes.newest_first().collect()
}

#[test]
fn a_request_is_answered_by_a_message_without_calls() {
    let mut notes = RequestNotes::default();
    assert_eq!(notes.answer(), None);
    notes.answered(&Message::assistant("Hello."));
    assert_eq!(notes.answer(), None, "there is no request");
    notes.request("Fix it.\n\nIt is in a.rs. ");
    assert_eq!(notes.answer(), None);
    notes.answered(&Message::assistant("Fixed."));
    assert_eq!(notes.answer(), Some("Fixed."));
    notes.request("Test it.");
    assert_eq!((newest_first(&notes), notes.answer()), (vec!["Test it.", "Fix it.\n\nIt is in a.rs."], None));
    notes.answered(&Message::assistant("I test it."));
    notes.reopen();
    assert_eq!(notes.answer(), None);
    notes.request("  ");
    assert_eq!(newest_first(&notes).len(), 2);
    assert!(Message::results([ToolResult::text("c", "x")]).texts().next().is_none());
}

#[test]
fn the_prompts_of_a_task_s_iterations_are_no_requests() {
    let mut notes = RequestNotes::default();
    notes.request("# Task: Count\n\nCount to three.");
    notes.answered(&Message::assistant("One."));
    notes.request("Iteration 2 of 9. Phase: builder.\n\nContinue with the task as given.");
    assert_eq!((newest_first(&notes), notes.answer()), (vec!["# Task: Count\n\nCount to three."], None));
    notes.answered(&Message::assistant("Two."));
    assert_eq!(notes.answer(), Some("Two."));
}

#[test]
fn requests_and_the_answer_are_bounded_at_characters() {
    let mut notes = RequestNotes::default();
    for number in 0..100 {
        notes.request(&format!("{number} {}", "é".repeat(500)));
    }
    let all = newest_first(&notes);
    assert!(all[0].starts_with("99 ") && all.len() == 5, "{}", all.len());
    notes.request(&"ö".repeat(REQUESTS));
    let all = newest_first(&notes);
    assert!(all.len() == 1 && all[0].ends_with("ö [cut here]"));
    notes.answered(&Message::assistant(format!("{}end", "ü".repeat(ANSWER))));
    let answer = notes.answer().unwrap();
    assert!(answer.len() <= ANSWER && answer.ends_with("üend"));
}
