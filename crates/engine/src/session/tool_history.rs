//! Which tools the model found and called in the turns before this run.

use throughline_continuity::{Part, read_all};
use throughline_conversation::{RecordBody, Seq};
use throughline_deferral::ToolHistory;

use super::Session;

/// Records that are read at first.
const PAGE: u64 = 1_000;

impl Session {
    /// The tools that the model found and called in this many turns, at least. Without the log, found tools are found again by a
    /// search.
    pub(crate) async fn tool_history(&self, turns: u64) -> ToolHistory {
        let since = self.turn().saturating_sub(turns);
        let (log, mut size) = (self.log(), PAGE);
        loop {
            let after = Seq(self.last().0.saturating_sub(size));
            let Ok(page) = read_all(log.as_ref(), &self.id, after, Part::View).await else {
                return ToolHistory::default();
            };
            let reaches = page.records.first().is_none_or(|first| first.exchange.0 < since);
            if after > Seq(0) && !reaches {
                size = size.saturating_mul(4);
                continue;
            }
            let mut history = ToolHistory::default();
            for record in page.records {
                if let RecordBody::Message(said) = record.body {
                    history.note(&said.message, record.exchange.0);
                }
            }
            return history;
        }
    }
}
