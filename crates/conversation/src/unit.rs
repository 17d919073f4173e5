//! Units: the smallest parts of a transcript that may be edited away without making it invalid.

use std::ops::Range;

use crate::ids::{ExchangeId, Span};
use crate::transcript::{Entry, EntryKind};

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// A user's message.
    User,
    /// A message of the model, with all results of its calls.
    Step,
    /// A summary or a notice of the engine.
    Note,
}

/// A range of entries that stays or goes as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Indices of its entries.
    pub entries: Range<usize>,
    /// What it is.
    pub kind: UnitKind,
    /// The exchange of its first entry.
    pub exchange: ExchangeId,
    /// The range of the log that it represents.
    pub span: Span,
    /// Tokens of its entries, before calibration.
    pub tokens: u64,
}

/// Splits entries into units, in order. Every entry is in exactly one.
#[must_use]
pub fn units(entries: &[Entry]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.kind == EntryKind::Results
            && let Some(unit) = units.last_mut()
            && unit.kind == UnitKind::Step
        {
            unit.entries.end = index + 1;
            unit.span.last = entry.span.last;
            unit.tokens = unit.tokens.saturating_add(entry.tokens);
            continue;
        }
        let kind = match entry.kind {
            EntryKind::User => UnitKind::User,
            EntryKind::Assistant | EntryKind::Results => UnitKind::Step,
            EntryKind::Summary | EntryKind::Notice => UnitKind::Note,
        };
        units.push(Unit {
            entries: index..index + 1,
            kind,
            exchange: entry.exchange,
            span: entry.span,
            tokens: entry.tokens,
        });
    }
    units
}
