//! Texts that several wires share.

use throughline_completion::CompletionRequest;
use throughline_conversation::{Image, ToolResult};

/// What stands between two texts that become one.
pub(crate) const GLUE: &str = "\n\n";

/// Returns true if a text has more than white space. Others are left out: no API takes them.
pub(crate) fn has_text(text: &str) -> bool {
    !text.trim().is_empty()
}

/// The system prompt as one text; `None` when it is empty.
pub(crate) fn system(request: &CompletionRequest) -> Option<String> {
    let sections = request.system.iter().map(|section| section.text.as_str());
    let said: Vec<&str> = sections.filter(|text| has_text(text)).collect();
    (!said.is_empty()).then(|| said.join(GLUE))
}

/// A result's text, for a wire that has no flag for a failure.
pub(crate) fn result_text(result: &ToolResult) -> String {
    let mark = if result.is_error { "error: " } else { "" };
    format!("{mark}{}", result.content)
}

/// Replaces a picture that the API does not take in this place or format.
pub(crate) fn picture_note(image: &Image) -> String {
    format!("[picture of type {:?}, not shown]", image.media_type)
}
