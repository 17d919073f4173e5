//! Rebuilding STATE from the view: from a model's answer, or by rule.

use throughline_conversation::{Entry, EntryKind, task_request};
use throughline_ledger::Ledger;
use throughline_text::cut_end;

use crate::scratchpad::{ChecklistItem, plan};
use crate::signals::signals;
use crate::state::State;

/// Asks the model for a new STATE over the conversation that it is shown.
pub const REBUILD_PROMPT: &str = include_str!("rebuild.md");

/// Maximum bytes of a request's first line in a goal.
const MOST_GOAL: usize = 300;
/// Maximum number of files in the context.
const MOST_FILES: usize = 10;

/// STATE in a model's answer to [`REBUILD_PROMPT`]; the heading may be missing. `None`: the old one stays.
#[must_use]
pub fn rebuilt(answer: &str) -> Option<State> {
    signals(answer).state.or_else(|| State::parse(answer))
}

/// What STATE is made of when no model is there to write it.
#[derive(Debug, Clone, Copy, Default)]
pub struct RebuildInput<'a> {
    /// The view's entries, oldest first.
    pub entries: &'a [Entry],
    /// The STATE that is to be replaced.
    pub old: Option<&'a State>,
    /// The scratchpad.
    pub scratchpad: &'a str,
    /// What was done.
    pub ledger: Option<&'a Ledger>,
}

/// STATE by rule: the newest block that the model wrote and that is still in view. If none is left: the first line of
/// the user's last request, the files edited last, the finished steps of the plan, and the anchors of the old one.
/// `None`: nothing is known, and the old one stays.
#[must_use]
pub fn rebuilt_by_rule(input: &RebuildInput<'_>) -> Option<State> {
    written(input.entries).or_else(|| composed(input))
}

fn written(entries: &[Entry]) -> Option<State> {
    let by_model = entries.iter().rev().filter(|entry| entry.kind == EntryKind::Assistant);
    by_model.into_iter().find_map(|entry| signals(&entry.message.text()).state)
}

fn composed(input: &RebuildInput<'_>) -> Option<State> {
    let goal = input.entries.iter().rev().filter(|entry| entry.kind == EntryKind::User).find_map(|entry| {
        let text = entry.message.text();
        let line = task_request(&text)?.lines().map(str::trim).find(|line| !line.is_empty())?;
        Some(shortened(line))
    });
    let notes = input.ledger.map_or(&[][..], |ledger| &ledger.files);
    let changed = notes.iter().rev().filter(|note| note.is_changed() && !note.deleted);
    let files: Vec<&str> = changed.take(MOST_FILES).map(|note| note.path.as_str()).collect();
    let plan = plan(input.scratchpad);
    let done: Vec<&str> = plan.iter().filter(|item| item.is_completed()).map(description).collect();
    if goal.is_none() && files.is_empty() && done.is_empty() {
        return None;
    }
    let anchors = input.old.map_or("", |old| old.technical_anchors.as_str());
    Some(State::of(&goal.unwrap_or_default(), &files.join(", "), &done.join("; "), anchors))
}

fn description(item: &ChecklistItem) -> &str {
    &item.description
}

fn shortened(line: &str) -> String {
    let start = cut_end(line, MOST_GOAL);
    if start.len() < line.len() { format!("{start}…") } else { line.to_owned() }
}

#[cfg(test)]
mod tests;
