//! Samples: long texts, views with an edit, and a receipt.

use throughline_conversation::{
    Components, Edit, FigureSource, Millis, Receipt, Record, RecordBody, Seq, View, WindowFigures,
};

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

/// A receipt of a request before which nothing was decided.
#[must_use]
pub fn receipt() -> Receipt {
    let used = Components { system: 0, skills: 0, tools: 0, conversation: 1_000 };
    let window =
        WindowFigures { total: 100_000, reserved_output: 8_000, used, source: FigureSource::Estimated };
    Receipt {
        model: "sample".to_owned(),
        pressure: "ok".to_owned(),
        stop: "end_turn".to_owned(),
        ..Receipt::new(1, 1, Seq(1), window)
    }
}
