//! The newest messages of a resumed session.

use std::collections::HashMap;

use throughline_commands::PromptCommands;
use throughline_continuity::is_stop_note;
use throughline_conversation::{ContentBlock, Entry, EntryKind, SessionId, View};
use throughline_resultstore::{ResultRepository, preview_reference};
use throughline_session::answer_text;
use throughline_text::{counted, cut_start};
use throughline_tui::{Earlier, ResultExcerpt};

use super::shown_result::shown_result;

/// Maximum number of messages.
const MESSAGES: usize = 80;
/// Bytes of all messages. The newest is shown whatever its size.
const TOTAL: usize = 96 * 1024;
/// Bytes of an answer, of which the end is shown. Of an input the screen shows the first lines.
const TEXT: usize = 16_000;
/// Bytes of a tool result that are counted: the screen shows its first and last lines.
const RESULT: usize = 4_000;
/// Shown for a call without a result.
pub(super) const INTERRUPTED: &str = "interrupted: it has no result";

/// Stored results of which the view has previews, with their sizes in bytes, by their calls.
pub(super) type StoredResults = HashMap<String, (ResultExcerpt, u64)>;

/// Reads the stored results that the newest messages have previews of. One that cannot be read is shown by its preview.
pub(super) async fn stored_results(
    view: &View,
    results: &dyn ResultRepository,
    session: &SessionId,
) -> StoredResults {
    let entries = view.entries();
    let newest: Vec<&Entry> = entries.iter().skip(hidden(entries)).collect();
    let mut found = StoredResults::new();
    for (call_id, (content, _)) in self::results(&newest) {
        let Some(reference) = preview_reference(content) else { continue };
        if let Ok(Some(stored)) = results.get(session, &reference).await {
            let excerpt = ResultExcerpt::of(&String::from_utf8_lossy(&stored.content));
            found.insert(call_id.to_owned(), (excerpt, stored.content.len() as u64));
        }
    }
    found
}

/// The newest messages, oldest first, after a line about the number of earlier ones. A message of a command is shown in the words
/// that its user typed.
pub(super) fn restored(view: &View, stored: &StoredResults, commands: &PromptCommands) -> Vec<Earlier> {
    let entries = view.entries();
    let hidden = hidden(entries);
    let mut shown = Vec::new();
    if hidden > 0 {
        shown.push(Earlier::Notice(format!(
            "{hidden} earlier messages: Ctrl+O shows all, /messages lists them"
        )));
    }
    let newest: Vec<&Entry> = entries.iter().skip(hidden).collect();
    let results = results(&newest);
    for entry in &newest {
        match entry.kind {
            EntryKind::User => {
                let text = entry.message.request_text();
                shown.push(Earlier::User(commands.typed(&text).unwrap_or(text)));
            }
            EntryKind::Assistant => assistant(entry, &results, stored, &mut shown),
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

/// How many of the oldest entries do not fit.
fn hidden(entries: &[Entry]) -> usize {
    let mut bytes = 0usize;
    let fitting = entries.iter().rev().take(MESSAGES).take_while(|entry| {
        let before = bytes;
        bytes = bytes.saturating_add(shown_bytes(entry));
        before == 0 || bytes <= TOTAL
    });
    entries.len().saturating_sub(fitting.count())
}

/// Bytes that an entry takes once its texts and results are shortened.
fn shown_bytes(entry: &Entry) -> usize {
    let bytes = |block: &ContentBlock| match block {
        ContentBlock::Text { text } => text.len().min(TEXT),
        ContentBlock::ToolResult(result) => result.content.len().min(RESULT),
        _ => 0,
    };
    entry.message.content.iter().map(bytes).sum()
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

fn assistant(
    entry: &Entry,
    results: &HashMap<&str, (&str, bool)>,
    stored: &StoredResults,
    shown: &mut Vec<Earlier>,
) {
    for block in &entry.message.content {
        match block {
            ContentBlock::Text { text } => {
                let text = answer_text(text);
                if !text.is_empty() {
                    let (left_out, end) = end_of(&text, TEXT);
                    if left_out > 0 {
                        let lines = counted(left_out as u64, "line");
                        shown.push(Earlier::Notice(format!("⋯ {lines} · ctrl+o shows all")));
                    }
                    shown.push(Earlier::Assistant(end));
                }
            }
            ContentBlock::ToolCall(call) => {
                let (result, is_error) =
                    results.get(call.id.as_str()).copied().unwrap_or((INTERRUPTED, true));
                let (result, stored) = match stored.get(&call.id) {
                    Some((excerpt, bytes)) => (excerpt.clone(), Some(*bytes)),
                    None => (ResultExcerpt::of(&shown_result(&call.name, result, is_error)), None),
                };
                shown.push(Earlier::Tool {
                    name: call.name.clone(),
                    input: call.input.clone(),
                    is_error,
                    result,
                    stored,
                });
            }
            _ => {}
        }
    }
}

/// The end of an answer within `most` bytes, and how many lines are before it. A block of code that was opened there is opened again.
fn end_of(text: &str, most: usize) -> (usize, String) {
    let cut = cut_start(text, most);
    if cut.len() == text.len() {
        return (0, text.to_owned());
    }
    let next_line = cut.find('\n').map(|end| end + 1).filter(|from| *from < cut.len());
    let end = match next_line {
        Some(from) => cut.get(from..),
        None => cut.split_once(char::is_whitespace).map(|(_, behind)| behind),
    };
    let end = end.unwrap_or(cut);
    let before = text.get(..text.len() - end.len()).unwrap_or_default();
    let mut fences = before.lines().filter(|line| line.trim_start().starts_with("```"));
    let opened = if fences.clone().count() % 2 == 1 { fences.next_back() } else { None };
    let opened = opened.map_or_else(String::new, |fence| format!("{fence}\n"));
    (before.lines().count(), format!("{opened}{end}"))
}

#[cfg(test)]
mod tests;
