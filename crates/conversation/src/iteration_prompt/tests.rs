//! Which texts are prompts of an iteration, and which are requests.

use super::{is_iteration_prompt, task_request};

#[test]
fn only_the_head_of_an_iteration_is_one() {
    for text in ["Iteration 2 of 40. Phase: builder.", "\nIteration 2 of 3. Phase: reviewer.\n\nContinue."] {
        assert!(is_iteration_prompt(text), "{text}");
    }
    for text in [
        "",
        "Iteration 2 of 40",
        "Iteration two of three. Phase: builder.",
        "Explain: Iteration 2 of 40. Phase: builder.",
        "Iteration over the list of users is slow. Phase: 2 of 3. Fix it.",
    ] {
        assert!(!is_iteration_prompt(text), "{text}");
    }
}

#[test]
fn the_first_message_of_a_task_asks_for_its_goal_and_checklist() {
    let text =
        "# Task: T\n\nThe goal.\n\n## Checklist\n\n1. [ ] one\n\n## How you work\n\nYou work in iterations.";
    assert_eq!(task_request(text), Some("# Task: T\n\nThe goal.\n\n## Checklist\n\n1. [ ] one"));
    let own = "# Task: T\n\n## How you work\n\nCarefully.\n\n1. [ ] one";
    assert_eq!(task_request(&format!("{own}\n\n## How you work\n\nIn iterations.")), Some(own));
    assert_eq!(task_request("Iteration 2 of 40. Phase: builder.\n\nContinue."), None);
    for text in ["Fix it.\n\n## How you work\n\nWith care.", "# Task: none of the program's"] {
        assert_eq!(task_request(text), Some(text));
    }
}
