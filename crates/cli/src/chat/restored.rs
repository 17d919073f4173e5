//! The newest messages of a resumed session.

use std::collections::HashMap;

use throughline_continuity::is_stop_note;
use throughline_conversation::{ContentBlock, Entry, EntryKind, View};
use throughline_text::cut_end;
use throughline_tui::Earlier;

/// Maximum number of messages.
const MESSAGES: usize = 12;
/// Bytes of a text.
const TEXT: usize = 4_000;
/// Bytes of a tool result.
const RESULT: usize = 4_000;
/// Shown for a call without a result.
const INTERRUPTED: &str = "interrupted: it has no result";

/// The newest messages, oldest first, after a line about the number of earlier ones.
pub(super) fn restored(view: &View) -> Vec<Earlier> {
    let entries = view.entries();
    let hidden = entries.len().saturating_sub(MESSAGES);
    let mut shown = Vec::new();
    if hidden > 0 {
        shown.push(Earlier::Notice(format!("{hidden} earlier messages: /messages lists them")));
    }
    let newest: Vec<&Entry> = entries.iter().skip(hidden).collect();
    let results = results(&newest);
    for entry in &newest {
        match entry.kind {
            EntryKind::User => shown.push(Earlier::User(text(&entry.message.text()))),
            EntryKind::Assistant => assistant(entry, &results, &mut shown),
            EntryKind::Summary => {
                shown.push(Earlier::Notice(
                    "earlier messages are summarized: /summaries, /context diff".to_owned(),
                ));
            }
            EntryKind::Notice if is_stop_note(entry) => {
                shown.push(Earlier::Notice("the turn was stopped here".to_owned()));
            }
            EntryKind::Results | EntryKind::Notice => {}
        }
    }
    shown
}

/// Returns true if the view ends before the model's answer: with the user's side, or with a call without a result.
pub(super) fn is_interrupted(view: &View) -> bool {
    let unanswered = view.violations().is_empty() || !view.open_calls().is_empty();
    !view.entries().is_empty() && unanswered
}

/// The results of calls, by the call.
fn results<'e>(entries: &[&'e Entry]) -> HashMap<&'e str, (&'e str, bool)> {
    let blocks = entries.iter().flat_map(|entry| &entry.message.content);
    blocks
        .filter_map(|block| match block {
            ContentBlock::ToolResult(result) => {
                Some((result.call_id.as_str(), (result.content.as_str(), result.is_error)))
            }
            _ => None,
        })
        .collect()
}

fn assistant(entry: &Entry, results: &HashMap<&str, (&str, bool)>, shown: &mut Vec<Earlier>) {
    for block in &entry.message.content {
        match block {
            ContentBlock::Text { text: block } => shown.push(Earlier::Assistant(text(block))),
            ContentBlock::ToolCall(call) => {
                let (result, is_error) =
                    results.get(call.id.as_str()).copied().unwrap_or((INTERRUPTED, true));
                shown.push(Earlier::Tool {
                    name: call.name.clone(),
                    input: call.input.clone(),
                    is_error,
                    result: shortened(result),
                });
            }
            _ => {}
        }
    }
}

/// A result of bounded size, cut after a whole line or word.
fn shortened(result: &str) -> String {
    let cut = cut_end(result, RESULT);
    if cut.len() == result.len() {
        return result.to_owned();
    }
    let end = cut.rfind('\n').or_else(|| cut.rfind(char::is_whitespace)).unwrap_or(cut.len());
    format!("{} …", cut.get(..end).unwrap_or(cut))
}

fn text(whole: &str) -> String {
    let cut = cut_end(whole, TEXT);
    if cut.len() < whole.len() { format!("{cut}\n…") } else { whole.to_owned() }
}

#[cfg(test)]
mod tests;
