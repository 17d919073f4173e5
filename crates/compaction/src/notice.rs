//! The notice: one line that covers messages without a summary and only names their full text.

use throughline_conversation::{ResultRef, Span};

use crate::paragraphs::fill;
use crate::stub::naming;

const NOTICE: &str = include_str!("../texts/notice.md");

/// The notice of a span whose full text is stored under a reference.
pub(crate) fn render(span: Span, full: &ResultRef) -> String {
    let records = format!("{} to {}", span.first, span.last);
    fill(NOTICE, &[("span", &records), ("full", &naming(full))])
}

/// Returns true if a text is a notice.
pub(crate) fn is_notice(text: &str) -> bool {
    NOTICE.split_once("{{").is_some_and(|(start, _)| text.starts_with(start))
}
