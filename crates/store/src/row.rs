//! Between records and rows of the log.

use std::sync::OnceLock;
use std::thread::available_parallelism;

use throughline_continuity::{LogError, Part};
use throughline_conversation::{ExchangeId, Millis, Record, RecordBody, Seq};
use throughline_text::{fingerprint, fingerprints};

use crate::entity::log::Model;
use crate::json::{self, JsonError};

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

/// The kinds of the records of a part of the log; `None`: all.
pub(crate) fn kinds_of(part: Part) -> Option<&'static [&'static str]> {
    match part {
        Part::All => None,
        Part::View => Some(&["message", "edit", "model", "mark", "document"]),
        Part::Accounts => Some(&["model", "receipt", "spent", "edit", "policy", "mark"]),
        Part::Edits => Some(&["edit", "mark"]),
    }
}

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
            digest: digest(seq, kind, exchange, record.at.0, fingerprint(payload.as_bytes()).cast_signed()),
            payload,
        })
    }
}

/// Fingerprint of all columns but the session, which a copy does not share. `payload` is that of the payload.
fn digest(seq: i64, kind: &str, exchange: i64, at: i64, payload: i64) -> i64 {
    let mut columns = Vec::with_capacity(32 + kind.len());
    for number in [seq, exchange, at, payload] {
        columns.extend(number.to_le_bytes());
    }
    columns.extend(kind.as_bytes());
    fingerprint(&columns).cast_signed()
}

/// Returns true if a row is unchanged since it was written. Earlier versions took the fingerprint of the payload alone.
pub(crate) fn is_intact(row: &Model) -> bool {
    has_digest(row, fingerprint(&row.payload).cast_signed())
}

fn has_digest(row: &Model, payload: i64) -> bool {
    row.digest == digest(row.seq, &row.kind, row.exchange, row.at, payload) || row.digest == payload
}

/// Reads a row as a record.
pub(crate) fn record(row: &Model) -> Result<Record, LogError> {
    checked(row, is_intact(row))
}

/// Reads rows as records, in their order. Those of a whole page are shared out among the processor's cores.
pub(crate) fn records(rows: &[Model]) -> Vec<Result<Record, LogError>> {
    /// Fewer are not worth a thread.
    const LEAST: usize = 64;
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| available_parallelism().map_or(1, usize::from));
    let parts = (rows.len() / LEAST).clamp(1, cores);
    let mut shares = rows.chunks(rows.len().div_ceil(parts).max(1));
    let own = shares.next().unwrap_or_default();
    std::thread::scope(|scope| {
        let others: Vec<_> = shares.map(|share| scope.spawn(|| share_of(share))).collect();
        let mut read = share_of(own);
        for other in others {
            read.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        read
    })
}

fn share_of(rows: &[Model]) -> Vec<Result<Record, LogError>> {
    let mut by_length: Vec<(usize, &Model)> = rows.iter().enumerate().collect();
    by_length.sort_by_key(|(_, row)| row.payload.len());
    let mut read: Vec<(usize, Result<Record, LogError>)> = Vec::with_capacity(rows.len());
    let mut fours = by_length.chunks_exact(4);
    for four in fours.by_ref() {
        let &[one, two, three, four] = four else { continue };
        let four = [one, two, three, four];
        let payloads = fingerprints(four.map(|(_, row)| row.payload.as_slice()));
        for ((place, row), payload) in four.into_iter().zip(payloads) {
            read.push((place, checked(row, has_digest(row, payload.cast_signed()))));
        }
    }
    read.extend(fours.remainder().iter().map(|(place, row)| (*place, record(row))));
    read.sort_by_key(|(place, _)| *place);
    read.into_iter().map(|(_, record)| record).collect()
}

fn checked(row: &Model, intact: bool) -> Result<Record, LogError> {
    let seq = Seq(row.seq.unsigned_abs());
    let damaged = |why: String| LogError::Damaged { seq, why };
    if !intact {
        return Err(damaged("its content does not match its digest".to_owned()));
    }
    let body = body(&row.kind, &row.payload).map_err(|error| damaged(error.to_string()))?;
    if body.kind() != row.kind {
        return Err(damaged(format!("it is listed as {:?} but holds {:?}", row.kind, body.kind())));
    }
    let exchange = u64::try_from(row.exchange).map_err(|_| damaged("its exchange is below 0".to_owned()))?;
    Ok(Record { seq, at: Millis(row.at), exchange: ExchangeId(exchange), body })
}

/// Reads a payload. For the kinds that make up nearly all of a log it is read as what it is at once: a parser that finds
/// the kind by itself copies the whole text first.
fn body(kind: &str, payload: &[u8]) -> Result<RecordBody, JsonError> {
    let starts = |kind: &str| {
        let rest = payload.strip_prefix(b"{\"kind\":\"").and_then(|rest| rest.strip_prefix(kind.as_bytes()));
        rest.is_some_and(|rest| rest.starts_with(b"\""))
    };
    match kind {
        "message" if starts(kind) => json::parse(payload).map(RecordBody::Message),
        "receipt" if starts(kind) => json::parse(payload).map(RecordBody::Receipt),
        _ => json::parse(payload),
    }
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> LogError {
    LogError::Other(error.into())
}

#[cfg(test)]
mod tests;
