//! Samples: long texts, and views with an edit.

use throughline_conversation::{Edit, Millis, Record, RecordBody, Seq, View};

use crate::counter::WordCounter;

/// A text of that many words: `w0 w1 w2 …`.
#[must_use]
pub fn words(count: usize) -> String {
    (0..count).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ")
}

/// The view after an edit was appended to its log as the next record.
///
/// # Panics
/// If the edit does not fit the view.
#[must_use]
#[expect(clippy::expect_used, reason = "an edit that does not fit fails the test")]
pub fn with_edit(view: &View, edit: &Edit) -> View {
    let mut view = view.clone();
    let (seq, exchange) = (Seq(view.last().0 + 1), view.exchange());
    let record = Record { seq, at: Millis(0), exchange, body: RecordBody::Edit(edit.clone()) };
    view.apply(&record, &WordCounter).expect("the edit fits");
    view
}
