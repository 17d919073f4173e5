//! What an edit takes out of a view.

use std::collections::HashMap;

use serde::Serialize;
use throughline_conversation::{Action, Edit, Entry, ResultRef, Seq, Span, SummaryNote, View};

use crate::listing::first_line;

/// A stretch of the log that was covered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cover {
    /// The stretch.
    pub span: Span,
    /// What is shown in its place; `None`: nothing.
    pub summary: Option<String>,
    /// How the summary was made.
    pub note: Option<SummaryNote>,
    /// What was in view of it.
    pub messages: Vec<Covered>,
}

/// A message that was covered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// Its records: one, or many for an older summary.
    pub span: Span,
    /// What it was, for example `assistant`.
    pub kind: &'static str,
    /// Its first line; of a message without text, the tools that it called or whose results it holds.
    pub first_line: String,
    /// Its tokens.
    pub tokens: u64,
}

/// What was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplacedPart {
    /// What a tool answered.
    Result,
    /// What a tool was called with.
    Arguments,
}

/// A result or arguments that became a reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replacement {
    /// Which of the two.
    pub part: ReplacedPart,
    /// The tool; empty: its call was not in view.
    pub tool: String,
    /// The call.
    pub call_id: String,
    /// Bytes that the model saw before.
    pub before_bytes: u64,
    /// Bytes that it sees now.
    pub after_bytes: u64,
    /// Where the exact bytes are: `read_result` takes this name.
    pub stored: ResultRef,
}

/// A message whose pictures were left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PicturesLeft {
    /// The message's record.
    pub message: Seq,
    /// How many pictures the model saw before.
    pub pictures: u64,
}

/// What an edit takes out of a view.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Removed {
    /// Stretches that are covered, in the order of the edit.
    pub covers: Vec<Cover>,
    /// Results and arguments that become references, in the order of the edit.
    pub replaced: Vec<Replacement>,
    /// Messages whose pictures are left out, in the order of the edit.
    pub pictures: Vec<PicturesLeft>,
}

/// What an edit takes out of a view.
#[must_use]
pub fn removed(before: &View, edit: &Edit) -> Removed {
    let calls: HashMap<&str, (&str, u64)> = before
        .native()
        .iter()
        .flat_map(|entry| entry.message.tool_calls())
        .map(|call| (call.id.as_str(), (call.name.as_str(), call.input.to_string().len() as u64)))
        .collect();
    let results: HashMap<&str, u64> = before
        .native()
        .iter()
        .flat_map(|entry| entry.message.tool_results())
        .map(|result| (result.call_id.as_str(), result.content.len() as u64))
        .collect();
    let tool = |id: &str| calls.get(id).map_or("", |(name, _)| name).to_owned();
    let mut removed = Removed::default();
    for action in &edit.actions {
        match action {
            Action::Cover { span, summary, note } => {
                let inside = before.native().iter().filter(|entry| span.holds(entry.span));
                let messages = inside.map(|entry| covered(entry, &calls)).collect();
                removed.covers.push(Cover {
                    span: *span,
                    summary: summary.clone(),
                    note: note.clone(),
                    messages,
                });
            }
            Action::ReplaceResult { call_id, text, stored } => removed.replaced.push(Replacement {
                part: ReplacedPart::Result,
                tool: tool(call_id),
                call_id: call_id.clone(),
                before_bytes: results.get(call_id.as_str()).copied().unwrap_or_default(),
                after_bytes: text.len() as u64,
                stored: stored.clone(),
            }),
            Action::ReplaceInput { call_id, input, stored } => removed.replaced.push(Replacement {
                part: ReplacedPart::Arguments,
                tool: tool(call_id),
                call_id: call_id.clone(),
                before_bytes: calls.get(call_id.as_str()).map_or(0, |(_, bytes)| *bytes),
                after_bytes: input.to_string().len() as u64,
                stored: stored.clone(),
            }),
            Action::ReplacePictures { message, .. } => {
                let shown = before.native().iter().find(|entry| entry.span == Span::one(*message));
                let pictures = shown.map_or(0, |entry| entry.message.pictures().count() as u64);
                removed.pictures.push(PicturesLeft { message: *message, pictures });
            }
        }
    }
    removed
}

fn covered(entry: &Entry, calls: &HashMap<&str, (&str, u64)>) -> Covered {
    let kind = entry.kind.name();
    let text = first_line(&entry.message.text());
    let called = entry.message.tool_calls().map(|call| format!("-> {}", call.name));
    let answered = entry.message.tool_results().map(|result| {
        let tool = calls.get(result.call_id.as_str()).map_or("a tool", |(name, _)| name);
        format!("<- {tool}: {}", first_line(&result.content))
    });
    let first_line = if text.is_empty() {
        first_line(&called.chain(answered).collect::<Vec<_>>().join(", "))
    } else {
        text
    };
    Covered { span: entry.span, kind, first_line, tokens: entry.tokens }
}
