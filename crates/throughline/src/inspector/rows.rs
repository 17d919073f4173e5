//! Lists of a session's log as JSON objects.

use serde_json::{Value, json};
use throughline_conversation::{DocumentName, TokenCounter};
use throughline_groups::summaries;

use crate::documents::{Revision, RevisionStatus};
use crate::handle::SessionLog;

impl SessionLog {
    /// The summaries, oldest first, as `throughline summaries --json` prints them.
    #[must_use]
    pub fn summary_objects(&self, counter: &dyn TokenCounter) -> Vec<Value> {
        summaries(&self.records, &self.view, counter).iter().map(|row| json!(row)).collect()
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
