//! Between records and rows of the log.

use throughline_continuity::LogError;
use throughline_conversation::{ExchangeId, Millis, Record, RecordBody, Seq};
use throughline_text::fingerprint;

use crate::entity::log::Model;
use crate::json;

/// A record as the columns of its row, without the session.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) seq: i64,
    pub(crate) kind: &'static str,
    pub(crate) exchange: i64,
    pub(crate) at: i64,
    pub(crate) digest: i64,
    pub(crate) payload: String,
}

/// The kinds of the records that shape the view.
pub(crate) const VIEW_KINDS: [&str; 5] = ["message", "edit", "model", "mark", "document"];

impl Row {
    /// Writes a record as a row.
    pub(crate) fn of(record: &Record) -> Result<Self, LogError> {
        let payload = serde_json::to_string(&record.body).map_err(other)?;
        json::check_nesting(payload.as_bytes()).map_err(other)?;
        let seq = i64::try_from(record.seq.0).map_err(other)?;
        let exchange = i64::try_from(record.exchange.0).map_err(other)?;
        let kind = record.body.kind();
        Ok(Self {
            seq,
            kind,
            exchange,
            at: record.at.0,
            digest: digest(seq, kind, exchange, record.at.0, payload.as_bytes()),
            payload,
        })
    }
}

/// Fingerprint of all columns but the session, which a copy does not share.
fn digest(seq: i64, kind: &str, exchange: i64, at: i64, payload: &[u8]) -> i64 {
    let mut columns = Vec::with_capacity(32 + kind.len());
    for number in [seq, exchange, at, fingerprint(payload).cast_signed()] {
        columns.extend(number.to_le_bytes());
    }
    columns.extend(kind.as_bytes());
    fingerprint(&columns).cast_signed()
}

/// Returns true if a row is unchanged since it was written. Earlier versions took the fingerprint of the payload alone.
pub(crate) fn is_intact(row: &Model) -> bool {
    row.digest == digest(row.seq, &row.kind, row.exchange, row.at, &row.payload)
        || row.digest == fingerprint(&row.payload).cast_signed()
}

/// Reads a row as a record.
pub(crate) fn record(row: &Model) -> Result<Record, LogError> {
    let seq = Seq(row.seq.unsigned_abs());
    let damaged = |why: String| LogError::Damaged { seq, why };
    if !is_intact(row) {
        return Err(damaged("its content does not match its digest".to_owned()));
    }
    let body: RecordBody = json::parse(&row.payload).map_err(|error| damaged(error.to_string()))?;
    if body.kind() != row.kind {
        return Err(damaged(format!("it is listed as {:?} but holds {:?}", row.kind, body.kind())));
    }
    let exchange = u64::try_from(row.exchange).map_err(|_| damaged("its exchange is below 0".to_owned()))?;
    Ok(Record { seq, at: Millis(row.at), exchange: ExchangeId(exchange), body })
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> LogError {
    LogError::Other(error.into())
}

#[cfg(test)]
mod tests;
