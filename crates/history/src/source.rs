//! Where a session's rows come from: its log.

use throughline_continuity::{LogError, LogPage, MessageLog, Part, read_all};
use throughline_conversation::{Seq, SessionId};

use crate::row::HistoryRow;
use crate::rows::{GroupMarks, history_rows};

/// Records that are read again before the ones asked for. A result's record stands behind that of its call, which
/// has the tool's name; what may stand between them is a handful of records.
const OVERLAP: u64 = 32;

/// One session's history: its log, and what became of its exchanges.
#[derive(Debug, Clone, Copy)]
pub struct SessionHistory<'a> {
    /// The log.
    pub log: &'a dyn MessageLog,
    /// The session.
    pub session: &'a SessionId,
    /// Which exchanges were dropped or undone. When this changes, rows that were given before are no longer right.
    pub marks: &'a GroupMarks,
}

/// The rows of a stretch of the log, up to its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryPart {
    /// The rows, oldest first.
    pub rows: Vec<HistoryRow>,
    /// The newest record that was read. The next stretch begins after it.
    pub through: Seq,
    /// The newest record of this part that cannot be read. Its rows are missing.
    pub unread: Option<Seq>,
}

impl SessionHistory<'_> {
    /// The rows of the records after a place.
    ///
    /// # Errors
    /// [`LogError`] when the log cannot be read. One damaged record is no error.
    pub async fn rows_after(&self, after: Seq) -> Result<HistoryPart, LogError> {
        let part = self.rows_from(after, Seq(after.0.saturating_sub(OVERLAP))).await?;
        let nameless = |row: &HistoryRow| row.tool_call_id.is_some() && row.tool_name.is_none();
        if after > Seq(0) && part.unread.is_none() && part.rows.iter().any(nameless) {
            return self.rows_from(after, Seq(0)).await;
        }
        Ok(part)
    }

    async fn rows_from(&self, after: Seq, from: Seq) -> Result<HistoryPart, LogError> {
        let LogPage { records, unreadable, .. } = read_all(self.log, self.session, from, Part::View).await?;
        let damaged = unreadable.last().map(|lost| lost.span.last);
        let through = records.last().map_or(after, |record| record.seq).max(after);
        let through = damaged.map_or(through, |seq| through.max(seq));
        let mut rows = history_rows(records, self.marks);
        rows.retain(|row| row.seq > after);
        Ok(HistoryPart { rows, through, unread: damaged.filter(|seq| *seq > after) })
    }
}

#[cfg(test)]
mod tests;
