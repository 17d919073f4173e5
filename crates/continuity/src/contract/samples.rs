//! Logs for the contract: made from a number, the same each time.

mod edits;
mod maker;
mod marks;
mod messages;
mod notes;

use throughline_conversation::{Record, SessionId, TokenCounter};

use maker::Maker;

/// A token for every four bytes, rounded up.
#[derive(Debug, Clone, Copy, Default)]
pub struct SampleCounter;

impl TokenCounter for SampleCounter {
    fn text(&self, text: &str) -> u64 {
        text.len().div_ceil(4) as u64
    }
}

/// The session of this name.
#[must_use]
pub fn session(name: &str) -> SessionId {
    SessionId::new(name).expect("names in the contract are valid")
}

/// A log of about that many records: exchanges with tool calls, notes of every kind, and edits that fit.
#[must_use]
pub fn sample_log(seed: u64, records: usize) -> Vec<Record> {
    let mut maker = Maker { state: seed | 1, ..Maker::default() };
    while maker.records.len() < records {
        match maker.below(13) {
            0..=6 => maker.exchange(),
            7 => maker.replace_result(),
            8 => maker.cover(),
            9 => maker.switch(),
            10 => maker.mark(),
            11 => maker.document(),
            _ => maker.note(),
        }
    }
    maker.records
}
