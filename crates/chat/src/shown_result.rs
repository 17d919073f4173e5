//! A result of a call in the words for the user: what only the model needs is left out.

use std::borrow::Cow;

use throughline_tools::{started_job, without_advice};

/// The result as the screen shows it. A command that runs on in the background says only that.
pub(super) fn shown_result(result: &str, is_error: bool) -> Cow<'_, str> {
    if is_error {
        return Cow::Borrowed(without_advice(result));
    }
    let Some(job) = started_job(result) else { return Cow::Borrowed(result) };
    let before = result.trim_end().rfind('\n').and_then(|end| result.get(..=end)).unwrap_or_default();
    Cow::Owned(format!("{before}in the background as job {job}"))
}

#[cfg(test)]
mod tests;
