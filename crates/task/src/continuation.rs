//! How to go on, in three lines.

/// What stands for the next step when nothing is left on the checklist.
const LAST_STEP: &str = "Complete the task";

/// Task, phase and next step: the first item that is left, or completing the task.
#[must_use]
pub fn continuation(title: &str, hat: &str, remaining: &[impl AsRef<str>]) -> String {
    let next = remaining.first().map_or(LAST_STEP, AsRef::as_ref);
    format!("Continue working on: {title}\nCurrent phase: {hat}\nNext step: {next}")
}

#[cfg(test)]
mod tests {
    use super::continuation;

    // S0-35
    #[test]
    fn the_next_step_is_the_first_item_left_or_completing_the_task() {
        assert_eq!(
            continuation("Mend the parser", "builder", &["Write the test", "Mend it"]),
            "Continue working on: Mend the parser\nCurrent phase: builder\nNext step: Write the test"
        );
        assert_eq!(
            continuation("T", "reviewer", &[] as &[String]),
            "Continue working on: T\nCurrent phase: reviewer\nNext step: Complete the task"
        );
    }
}
