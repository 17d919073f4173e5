//! The messages in which a task asks its model to continue.

/// The beginning of the first message of a task, and the heading behind which it says how the program runs the task.
const TASK_HEAD: &str = "# Task: ";
const TASK_RULES: &str = "\n## How you work\n";

/// Returns true if a text is the message that asks for another iteration of a task. It is sent as the user's, but the program
/// has written it: what the user asked for is in the first message of the task.
#[must_use]
pub fn is_iteration_prompt(text: &str) -> bool {
    let numbers = || {
        let (number, rest) = text.trim_start().strip_prefix("Iteration ")?.split_once(" of ")?;
        let (most, _) = rest.split_once(". Phase: ")?;
        Some([number, most])
    };
    numbers().is_some_and(|numbers| numbers.iter().all(|number| number.parse::<u64>().is_ok()))
}

/// What the user asks for in a message of the user's: of the first message of a task its goal and checklist, without how the program
/// runs it; `None`: the message asks for another iteration.
#[must_use]
pub fn task_request(text: &str) -> Option<&str> {
    if is_iteration_prompt(text) {
        return None;
    }
    // A goal may have the heading too; the program's own is the last one.
    let of_task = text.trim_start().strip_prefix(TASK_HEAD).and_then(|_| text.rsplit_once(TASK_RULES));
    Some(of_task.map_or(text, |(asked, _)| asked.trim_end()))
}

#[cfg(test)]
mod tests;
