//! What makes a log: its state, and a record more.

use throughline_conversation::{ExchangeId, Millis, Record, RecordBody, Seq, View, project};

use super::SampleCounter;

/// Texts that have broken logs before: line separators of Unicode, NUL, quotes, other planes, long lines.
const TEXTS: &[&str] = &[
    "plain words",
    "a\nb\r\nc\ttab",
    "line\u{2028}separator\u{2029}paragraph",
    "nul\u{0}inside",
    "quotes \" ' \\ and {\"json\": [1, 2]}",
    "emoji 👩‍👩‍👧 and 漢字 and e\u{301}",
    "\u{feff}bom and \u{200f}right to left",
    "'); DROP TABLE log; --",
];

#[derive(Default)]
pub(super) struct Maker {
    pub(super) state: u64,
    pub(super) records: Vec<Record>,
    pub(super) view: View,
    pub(super) exchange: ExchangeId,
    pub(super) calls: u64,
    /// Edits that count, oldest first.
    pub(super) compactions: Vec<Seq>,
    /// Edits that are undone, the last undone last.
    pub(super) undone: Vec<Seq>,
}

impl Maker {
    /// Xorshift: no more is needed to vary the logs.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % end
    }

    pub(super) fn text(&mut self) -> String {
        let one = TEXTS[self.below(TEXTS.len() as u64) as usize];
        format!("{one} {}", self.below(1_000))
    }

    pub(super) fn add(&mut self, body: RecordBody) {
        let seq = self.view.last().next();
        let at = Millis(1_700_000_000_000 + seq.0 as i64 * 1_000);
        let record = Record { seq, at, exchange: self.exchange, body };
        let reaches_back = matches!(record.body, RecordBody::Mark(_));
        if !reaches_back {
            self.view.apply(&record, &SampleCounter).expect("a sample record fits the view");
        }
        self.records.push(record);
        if reaches_back {
            self.view = project(&self.records, &SampleCounter).expect("a sample log projects");
        }
    }
}
