//! Messages as a text for a model: within a number of bytes, or in parts that are.

use std::fmt::Write as _;

use throughline_conversation::{ContentBlock, Entry};
use throughline_text::{cut_end, cut_start};

use crate::summarizer::SummaryRequest;

/// Blocks cut to less than this say nothing any more.
const LEAST: usize = 100;
/// Blocks truncated to this size are still useful.
const TELLING: usize = 2_000;

impl SummaryRequest<'_> {
    /// The messages as text of at most `bytes` bytes: what a model can be shown without overflowing in turn.
    ///
    /// Long blocks are cut in their middle, the same for all, as little as is needed; if that is not enough,
    /// messages from the middle are left out. The newest are always there.
    #[must_use]
    pub fn text(&self, bytes: usize) -> String {
        fitted(self.entries, bytes, LEAST).unwrap_or_else(|text| {
            let mark = "\n[… messages left out …]\n";
            if bytes < 4 * mark.len() {
                return cut_start(&text, bytes).to_owned();
            }
            let head = cut_end(&text, bytes / 3);
            let tail = cut_start(&text, (bytes - head.len()).saturating_sub(mark.len()));
            format!("{head}{mark}{tail}")
        })
    }

    /// The messages as texts of at most `bytes` bytes each, at most `most` of them, oldest first. There is one as
    /// long as its blocks need not be cut to where they say little. What does not fit into all of them is left out as
    /// in [`SummaryRequest::text`]: from the middle, never of the newest.
    #[must_use]
    pub fn parts(&self, bytes: usize, most: usize) -> Vec<String> {
        if most <= 1 {
            return vec![self.text(bytes)];
        }
        if let Ok(text) = fitted(self.entries, bytes, TELLING) {
            return vec![text];
        }
        // A part ends where a message does, when one ends in its last quarter.
        let sure = bytes - bytes / 4;
        let text = self.text(sure.saturating_mul(most));
        let mut parts = Vec::new();
        let mut rest = text.as_str();
        while !rest.is_empty() && parts.len() < most {
            let whole = cut_end(rest, bytes);
            let last = if whole.len() == rest.len() { None } else { whole.rfind("\n[") };
            let end = last.map(|at| at + 1).filter(|end| *end >= sure).unwrap_or(whole.len());
            let (part, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            parts.push(part.to_owned());
            rest = after;
        }
        parts
    }
}

/// The messages within that many bytes, with blocks cut to no less than `least`; otherwise cut to exactly that.
fn fitted(entries: &[Entry], bytes: usize, least: usize) -> Result<String, String> {
    let mut most = bytes.max(least);
    loop {
        let text = render(entries, most);
        if text.len() <= bytes {
            return Ok(text);
        }
        if most <= least {
            return Err(text);
        }
        most = (most - most / 4).max(least);
    }
}

fn render(entries: &[Entry], most: usize) -> String {
    let mut out = String::new();
    for entry in entries {
        let _ = writeln!(out, "[{}]", entry.kind.name());
        for block in &entry.message.content {
            let _ = match block {
                ContentBlock::Text { text } => writeln!(out, "{}", middle_out(text, most)),
                // A search that the provider ran is part of the work.
                ContentBlock::Thinking(thinking) if thinking.is_search() => {
                    writeln!(out, "{}", middle_out(&thinking.text, most))
                }
                ContentBlock::Thinking(_) => Ok(()),
                ContentBlock::Image(_) => writeln!(out, "(an image)"),
                ContentBlock::ToolCall(call) => {
                    writeln!(out, "call {}: {}", call.name, middle_out(&call.input.to_string(), most))
                }
                ContentBlock::ToolResult(result) => {
                    let failed = if result.is_error { "failed: " } else { "" };
                    writeln!(out, "result: {failed}{}", middle_out(&result.content, most))
                }
            };
        }
    }
    out
}

fn middle_out(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{} [… cut …] {}", cut_end(text, most - most / 3), cut_start(text, most / 3))
}

#[cfg(test)]
mod tests;
