//! The summaries of a session, and which of them the model sees.

use std::collections::BTreeSet;

use serde::Serialize;
use throughline_conversation::{
    Action, EditReason, EntryKind, Millis, Record, RecordBody, Seq, Span, SummaryNote, TokenCounter, View,
};

use crate::change::compactions;
use crate::listing::first_line;

/// What became of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SummaryStatus {
    /// The model sees it.
    InForce,
    /// A later compaction covers it, usually with a summary that continues it.
    Replaced,
    /// A group that it tells of is hidden, or one that it lacks is back. It does not count while that is so.
    Stale,
    /// Its compaction was undone.
    Undone,
}

impl SummaryStatus {
    /// The status in a few words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InForce => "active",
            Self::Replaced => "replaced",
            Self::Stale => "stale",
            Self::Undone => "undone",
        }
    }
}

/// One summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SummaryRow {
    /// The record that holds it.
    pub record: Seq,
    /// When it was made.
    pub at: Millis,
    /// The records that it replaces.
    pub span: Span,
    /// The records of the summary that it continues.
    pub parent: Option<Span>,
    /// The template that it follows, when it is known.
    pub template: Option<String>,
    /// The model that wrote its prose; `None`: it was made by rule, or that is not known.
    pub model: Option<String>,
    /// Who wrote it, for people, when it is known.
    pub author: Option<String>,
    /// Its tokens.
    pub tokens: u64,
    /// What became of it.
    pub status: SummaryStatus,
    /// Its first line.
    pub first_line: String,
}

/// The summaries of a session, oldest first. `view` is the session's current view.
#[must_use]
pub fn summaries(records: &[Record], view: &View, counter: &dyn TokenCounter) -> Vec<SummaryRow> {
    let undone: BTreeSet<Seq> =
        compactions(records).filter(|(_, undone)| *undone).map(|(edit, _)| edit).collect();
    let mut rows = Vec::new();
    // Covers that came later and count, newest first.
    let mut later: Vec<Span> = Vec::new();
    let mut shown: BTreeSet<Seq> = BTreeSet::new();
    for record in records.iter().rev() {
        let RecordBody::Edit(edit) = &record.body else { continue };
        if edit.reason == EditReason::Window {
            continue;
        }
        let mut covers = Vec::new();
        for action in edit.actions.iter().rev() {
            let Action::Cover { span, summary, note } = action else { continue };
            covers.push(*span);
            let Some(text) = summary else { continue };
            let in_view = view.native().iter().any(|entry| {
                entry.kind == EntryKind::Summary && entry.span == *span && entry.message.text() == *text
            });
            let status = if undone.contains(&record.seq) {
                SummaryStatus::Undone
            } else if in_view && shown.insert(span.first) {
                SummaryStatus::InForce
            } else if is_replaced(*span, &later, view) {
                SummaryStatus::Replaced
            } else {
                SummaryStatus::Stale
            };
            let note = note.as_ref();
            rows.push(SummaryRow {
                record: record.seq,
                at: record.at,
                span: *span,
                parent: note.and_then(|note| note.parent),
                template: note.map(|note| note.template.clone()),
                model: note.and_then(|note| note.model.clone()),
                author: note.map(SummaryNote::author),
                tokens: note.map_or_else(|| counter.text(text), |note| note.tokens),
                status,
                first_line: first_line(text),
            });
        }
        if !undone.contains(&record.seq) {
            later.extend(covers);
        }
    }
    rows.reverse();
    rows
}

/// Returns true if a later cover that counts holds the span: nothing of the span is shown verbatim.
fn is_replaced(span: Span, later: &[Span], view: &View) -> bool {
    let holds = later.iter().any(|cover| cover.holds(span));
    let mut inside = view.native().iter().filter(|entry| entry.span.meets(span));
    holds && inside.all(|entry| entry.kind == EntryKind::Summary && entry.span.holds(span))
}

#[cfg(test)]
mod tests;
