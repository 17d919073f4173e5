//! Where a session's rows come from: its log.

use throughline_continuity::{LogError, MessageLog, Part};
use throughline_conversation::{Record, Seq, SessionId};

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
    /// A record cannot be read: its rows are missing, and so are those before it in this stretch.
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
        let (records, damaged) = self.read(from).await?;
        let through = records.last().map_or(after, |record| record.seq).max(after);
        let through = damaged.map_or(through, |seq| through.max(seq));
        let mut rows = history_rows(records, self.marks);
        rows.retain(|row| row.seq > after);
        Ok(HistoryPart { rows, through, unread: damaged.filter(|seq| *seq > after) })
    }

    /// The records after a place; behind the last damaged one, when there is one.
    async fn read(&self, mut from: Seq) -> Result<(Vec<Record>, Option<Seq>), LogError> {
        let mut damaged = None;
        loop {
            match self.log.read(self.session, from, Part::View).await {
                Err(LogError::Damaged { seq, .. }) if seq > from => {
                    damaged = Some(seq);
                    from = seq;
                }
                Err(error) => return Err(error),
                Ok(records) => return Ok((records, damaged)),
            }
        }
    }
}

#[cfg(test)]
mod tests;
