//! Which texts are prompts of an iteration, and which are requests.

use super::is_iteration_prompt;

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
