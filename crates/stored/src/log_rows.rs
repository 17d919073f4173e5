//! Lists of a session's log as JSON objects.

use std::collections::HashMap;

use serde_json::{Value, json};
use throughline_conversation::{Action, DocumentName, RecordBody, Seq, Span, TokenCounter};
use throughline_groups::{SummaryRow, summaries};

use crate::documents::{Revision, RevisionStatus};
use crate::handle::SessionLog;

impl SessionLog {
    /// The summaries, oldest first, as `throughline summaries --json` prints them.
    #[must_use]
    pub fn summary_objects(&self, counter: &dyn TokenCounter) -> Vec<Value> {
        summaries(&self.records, &self.view, counter).iter().map(|row| json!(row)).collect()
    }

    /// The summaries, oldest first, with their texts.
    #[must_use]
    pub fn summaries_with_texts(&self, counter: &dyn TokenCounter) -> Vec<(SummaryRow, &str)> {
        let texts = self.records.iter().filter_map(|record| match &record.body {
            RecordBody::Edit(edit) => Some((record.seq, edit)),
            _ => None,
        });
        let texts: HashMap<(Seq, Span), &str> = texts
            .flat_map(|(seq, edit)| edit.actions.iter().map(move |action| (seq, action)))
            .filter_map(|(seq, action)| match action {
                Action::Cover { span, summary: Some(text), .. } => Some(((seq, *span), text.as_str())),
                _ => None,
            })
            .collect();
        let rows = summaries(&self.records, &self.view, counter);
        let text = |row: &SummaryRow| texts.get(&(row.record, row.span)).copied().unwrap_or_default();
        rows.into_iter().map(|row| (text(&row), row)).map(|(text, row)| (row, text)).collect()
    }

    /// The revisions of both documents, oldest first, with their texts.
    #[must_use]
    pub fn document_objects(&self) -> Vec<Value> {
        let names = [DocumentName::State, DocumentName::Scratchpad];
        let mut revisions: Vec<Revision<'_>> =
            names.into_iter().flat_map(|name| self.revisions(name)).collect();
        revisions.sort_by_key(|revision| revision.record.seq);
        revisions.iter().map(revision_object).collect()
    }
}

impl RevisionStatus {
    /// The status in one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Undone => "undone",
            Self::Older => "older",
        }
    }
}

fn revision_object(revision: &Revision<'_>) -> Value {
    json!({
        "document": revision.document.name,
        "revision": revision.record.seq,
        "at_ms": revision.record.at,
        "by": revision.document.by,
        "status": revision.status.name(),
        "text": revision.document.text,
    })
}
