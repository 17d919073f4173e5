//! What the model sees of a session, turn by turn: the turns themselves, summaries, and texts that are pinned.

use std::collections::BTreeSet;

use throughline_conversation::{Entry, EntryKind, ExchangeId, Record, Span, View};
use throughline_text::group_thousands;

/// A sentence about the turns in view. Every part of it is read from the view itself.
pub(super) fn line(view: &View, records: &[Record]) -> String {
    let own = view.entries().iter().filter(|entry| entry.kind != EntryKind::Summary);
    let (pinned, whole): (Vec<&Entry>, Vec<&Entry>) = own.partition(|entry| entry.is_pinned_note());
    let mut parts = Vec::new();
    let turns: BTreeSet<ExchangeId> = whole.iter().map(|entry| entry.exchange).collect();
    if !turns.is_empty() {
        parts.push(named(&turns));
    }
    for entry in view.entries().iter().filter(|entry| entry.kind == EntryKind::Summary) {
        let tokens = group_thousands(entry.tokens);
        parts.push(format!("a summary of {} ({tokens} tokens)", named(&covered(entry.span, records))));
    }
    if !pinned.is_empty() {
        let turns = pinned.iter().map(|entry| entry.exchange).collect();
        parts.push(format!("pinned texts of {}", named(&turns)));
    }
    match parts.as_slice() {
        [] => "The model sees no turn.".to_owned(),
        [one] => format!("The model sees {one}."),
        [first @ .., last] => format!("The model sees {}, and {last}.", first.join(", ")),
    }
}

/// The turns with a message in a span.
fn covered(span: Span, records: &[Record]) -> BTreeSet<ExchangeId> {
    let inside = records.iter().filter(|record| span.holds(Span::one(record.seq)));
    inside.filter(|record| record.body.kind() == "message").map(|record| record.exchange).collect()
}

/// Turns by their numbers: `turn 4`, `turns 1 to 4 and 6`.
fn named(turns: &BTreeSet<ExchangeId>) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for ExchangeId(turn) in turns {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *turn => *last = *turn,
            _ => runs.push((*turn, *turn)),
        }
    }
    let run = |(first, last): (u64, u64)| match last - first {
        0 => vec![first.to_string()],
        1 => vec![first.to_string(), last.to_string()],
        _ => vec![format!("{first} to {last}")],
    };
    let noun = if turns.len() == 1 { "turn" } else { "turns" };
    let runs: Vec<String> = runs.into_iter().flat_map(run).collect();
    match runs.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{noun} {} and {last}", first.join(", ")),
        runs => format!("{noun} {}", runs.concat()),
    }
}

#[cfg(test)]
mod tests;
