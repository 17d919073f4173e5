//! The messages in which a task asks its model to continue.

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

#[cfg(test)]
mod tests;
