//! How to continue, in three lines.

/// The next step when nothing is left on the checklist.
const LAST_STEP: &str = "Complete the task";

/// Task, phase and next step: the first item that is left, or the completion of the task.
#[must_use]
pub(crate) fn continuation(title: &str, hat: &str, remaining: &[impl AsRef<str>]) -> String {
    let next = remaining.first().map_or(LAST_STEP, AsRef::as_ref);
    format!("Continue working on: {title}\nCurrent phase: {hat}\nNext step: {next}")
}

#[cfg(test)]
mod tests;
