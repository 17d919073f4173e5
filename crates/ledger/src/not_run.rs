//! Calls that were not allowed, by the text that they have as a result.

/// Returns true for the result of a call that was not run: the user, a rule or a hook did not allow it. Nothing was done, and nothing
/// has failed.
#[must_use]
pub fn was_not_run(result: &str) -> bool {
    result.starts_with("The user declined this call of ")
        || (result.starts_with("The call of ") && result.contains(" was not run"))
}
