//! Messages as one readable text: what is stored when they leave the window.

use std::fmt::Write as _;

use throughline_conversation::{ContentBlock, Entry, EntryKind, Image, Message};

/// The messages whole, nothing left out, as markdown.
pub(crate) fn full_text(entries: &[Entry]) -> String {
    let mut out = String::new();
    for entry in entries {
        let _ = writeln!(out, "## {} (record {})\n", who(entry.kind), spelled(entry));
        message(&mut out, &entry.message);
    }
    out
}

/// The records of an entry, in words.
fn spelled(entry: &Entry) -> String {
    if entry.span.first == entry.span.last {
        entry.span.first.to_string()
    } else {
        format!("{} to {}", entry.span.first, entry.span.last)
    }
}

/// The speaker of an entry.
pub(crate) fn who(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::User => "user",
        EntryKind::Assistant => "assistant",
        EntryKind::Results => "results",
        EntryKind::Summary => "summary",
        EntryKind::Notice => "notice",
    }
}

fn message(out: &mut String, message: &Message) {
    for block in &message.content {
        let _ = match block {
            ContentBlock::Text { text } => writeln!(out, "{text}\n"),
            ContentBlock::Thinking(thinking) => writeln!(out, "(thinking) {}\n", thinking.text),
            ContentBlock::Image(shown) => writeln!(out, "{}\n", data_url(shown)),
            ContentBlock::ToolCall(call) => writeln!(out, "call {} {} {}\n", call.id, call.name, call.input),
            ContentBlock::ToolResult(result) => {
                let failed = if result.is_error { " (failed)" } else { "" };
                let _ = writeln!(out, "result {}{failed}:\n{}\n", result.call_id, result.content);
                for shown in &result.images {
                    let _ = writeln!(out, "{}\n", data_url(shown));
                }
                Ok(())
            }
        };
    }
}

/// A picture whole, in a form that viewers open (RFC 2397, the "data" URL).
pub(crate) fn data_url(image: &Image) -> String {
    format!("![image](data:{};base64,{})", image.media_type, image.data)
}

#[cfg(test)]
mod tests;
