//! Task, phase and next step as one text.

use super::continuation;

// S0-35
#[test]
fn the_next_step_is_the_first_item_left_or_completing_the_task() {
    assert_eq!(
        continuation("Fix the parser", "builder", &["Write the test", "Fix it"]),
        "Continue working on: Fix the parser\nCurrent phase: builder\nNext step: Write the test"
    );
    assert_eq!(
        continuation("T", "reviewer", &[] as &[String]),
        "Continue working on: T\nCurrent phase: reviewer\nNext step: Complete the task"
    );
}
