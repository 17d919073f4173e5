//! A result of a call in the words for the user: what only the model needs is left out.

use std::borrow::Cow;

use throughline_resultstore::without_byte_note;
use throughline_session::shown_agent_result;
use throughline_tools::{started_job, without_advice};

/// The result of a tool as the screen shows it. A command that runs on in the background says only that.
pub(super) fn shown_result<'a>(tool: &str, result: &'a str, is_error: bool) -> Cow<'a, str> {
    if let Some(shown) = shown_agent_result(tool, result) {
        return Cow::Owned(shown);
    }
    let result = without_byte_note(result);
    if is_error {
        return Cow::Borrowed(without_advice(result));
    }
    let Some(job) = started_job(result) else { return Cow::Borrowed(result) };
    let before = result.trim_end().rfind('\n').and_then(|end| result.get(..=end)).unwrap_or_default();
    Cow::Owned(format!("{before}in the background as job {job}"))
}

#[cfg(test)]
mod tests;
