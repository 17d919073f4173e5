//! Messages as one readable text: what is stored when they leave the window.

use std::fmt::Write as _;

use throughline_conversation::{ContentBlock, Entry, Image, Message, ResultRef, ToolResult};

use crate::stub::{naming, refs};

/// The messages whole, nothing left out, as markdown. `keep` stores a picture and returns its reference.
pub(crate) fn full_text(entries: &[Entry], keep: &mut dyn FnMut(&Image) -> ResultRef) -> String {
    let mut out = String::new();
    for entry in entries {
        let _ = writeln!(out, "## {} (record {})\n", entry.kind.name(), spelled(entry));
        message(&mut out, &entry.message, keep);
    }
    out
}

/// The text of a result and a line for each of its pictures: what is stored when the result leaves the view.
#[must_use]
pub fn result_text(result: &ToolResult, keep: &mut dyn FnMut(&Image) -> ResultRef) -> String {
    let mut text = result.content.clone();
    for image in &result.images {
        let _ = write!(text, "\n\n{}", picture_line(image, &keep(image)));
    }
    text
}

/// The records of an entry, in words.
fn spelled(entry: &Entry) -> String {
    if entry.span.first == entry.span.last {
        entry.span.first.to_string()
    } else {
        format!("{} to {}", entry.span.first, entry.span.last)
    }
}

fn message(out: &mut String, message: &Message, keep: &mut dyn FnMut(&Image) -> ResultRef) {
    for block in &message.content {
        let _ = match block {
            ContentBlock::Text { text } => writeln!(out, "{text}\n"),
            ContentBlock::Thinking(thinking) => writeln!(out, "(thinking) {}\n", thinking.text),
            ContentBlock::Image(shown) => writeln!(out, "{}\n", picture_line(shown, &keep(shown))),
            ContentBlock::ToolCall(call) => writeln!(out, "call {} {} {}\n", call.id, call.name, call.input),
            ContentBlock::ToolResult(result) => {
                let failed = if result.is_error { " (failed)" } else { "" };
                writeln!(out, "result {}{failed}:\n{}\n", result.call_id, result_text(result, keep))
            }
        };
    }
}

const PICTURE: &str = "[picture of type ";
const SHOWN_BY: &str = "; \"read_result\" shows it: ";

/// The line of a picture in a stored text.
fn picture_line(image: &Image, stored: &ResultRef) -> String {
    // A type is one word; what a server called one must not become another line.
    let kind: String = image.media_type.chars().filter(char::is_ascii_graphic).take(100).collect();
    format!("{PICTURE}{kind}{SHOWN_BY}{}]", naming(stored))
}

/// The pictures that a stored text names, in order.
pub fn pictures_in(text: &str) -> impl Iterator<Item = ResultRef> {
    text.lines().filter_map(|line| {
        let (_, name) = line.strip_prefix(PICTURE)?.strip_suffix(']')?.split_once(SHOWN_BY)?;
        refs(name).next().map(ResultRef::from_text)
    })
}

#[cfg(test)]
mod tests;
