//! The port to whoever writes the prose of a summary.

use std::fmt::{Debug, Write as _};

use async_trait::async_trait;
use throughline_conversation::{ContentBlock, Entry, TokenCounter, cut_end, cut_start};

use crate::blob::who;

/// What is to be told in short.
#[derive(Debug, Clone, Copy)]
pub struct SummaryRequest<'a> {
    /// The messages that leave the window, whole, oldest first. Summaries of earlier times may be among them.
    pub entries: &'a [Entry],
    /// The progress as the summary before this one told it.
    pub previous: Option<&'a str>,
    /// Tokens that the answer may have.
    pub budget: u64,
    /// What to ask of a model, in full, without the messages.
    pub prompt: &'a str,
    /// Counts what the view is counted with.
    pub counter: &'a dyn TokenCounter,
}

/// Why there is no summary.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// The model would not.
    #[error("the summarizer refused: {0}")]
    Refused(String),
    /// Anything else.
    #[error("the summarizer failed")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Writes prose about messages that leave the window.
///
/// # Contract
/// MUST answer with prose of about the request's budget at most, made of the request alone. MUST NOT call
/// tools. The answer is checked: an empty, refusing, tool-calling or overlong one is not used.
///
/// # When it fails
/// [`ExtractiveSummarizer`](crate::ExtractiveSummarizer) takes its place, and the outcome says so. There is no
/// second try: a compaction asks once for each stretch that it covers, which is twice at most.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait Summarizer: Debug + Send + Sync {
    /// The prose.
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<String, SummaryError>;
}

const _: Option<&dyn Summarizer> = None;

impl SummaryRequest<'_> {
    /// The messages as text of at most `bytes` bytes: what a model can be shown without overflowing in turn.
    ///
    /// Long blocks are cut in their middle, the same for all, as little as is needed; if that is not enough,
    /// messages from the middle are left out. The newest are always there.
    #[must_use]
    pub fn text(&self, bytes: usize) -> String {
        /// Blocks cut to less than this say nothing any more.
        const LEAST: usize = 100;
        let mut most = bytes.max(LEAST);
        loop {
            let text = render(self.entries, most);
            if text.len() <= bytes {
                return text;
            }
            if most <= LEAST {
                let mark = "\n[… messages left out …]\n";
                if bytes < 4 * mark.len() {
                    return cut_start(&text, bytes).to_owned();
                }
                let head = cut_end(&text, bytes / 3);
                let tail = cut_start(&text, (bytes - head.len()).saturating_sub(mark.len()));
                return format!("{head}{mark}{tail}");
            }
            most = (most - most / 4).max(LEAST);
        }
    }
}

fn render(entries: &[Entry], most: usize) -> String {
    let mut out = String::new();
    for entry in entries {
        let _ = writeln!(out, "[{}]", who(entry.kind));
        for block in &entry.message.content {
            let _ = match block {
                ContentBlock::Text { text } => writeln!(out, "{}", middle_out(text, most)),
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
