//! Writing a step's ten records through the log's port, compared with raw inserts of the same rows into SQLite, and with the
//! port when each transaction waits for the disk (`storage.durability = "full"`).
//!
//! All run in this process, in turns, on files of the same folder, with the same journal mode.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rusqlite::{Connection, params};
use throughline_continuity::{MessageLog, SessionDirectory, SessionInfo};
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, SessionId, Source, ToolResult,
};
use throughline_store::{Durability, Store};

/// Records of one transaction.
const RECORDS: u64 = 10;
/// Transactions of one round.
const STEPS: u64 = 400;
/// Rounds; the median counts.
const ROUNDS: u64 = 7;

/// Measures, and fails when the port has less than half the rate of the raw inserts.
pub(crate) async fn run() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let store = Store::open(&folder.path().join("port.db")).await?;
    let waiting = Store::open_with(&folder.path().join("full.db"), Durability::Full).await?;
    let session = SessionId::new("bench")?;
    let info = SessionInfo {
        id: session.clone(),
        title: "bench".to_owned(),
        workspace: String::new(),
        model: "bench".to_owned(),
        created: Millis(0),
    };
    store.sessions().create(&info).await?;
    waiting.sessions().create(&info).await?;
    let (log, full_log) = (store.message_log(), waiting.message_log());
    let raw = raw_database(&folder.path().join("raw.db"))?;

    let (mut port_times, mut full_times, mut raw_times) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let steps: Vec<Vec<Record>> = (0..STEPS).map(|step| records(round * STEPS + step)).collect();
        port_times.push(append(&log, &session, &steps).await?);
        full_times.push(append(&full_log, &session, &steps).await?);
        let rows = steps
            .iter()
            .map(|step| step.iter().map(row).collect())
            .collect::<anyhow::Result<Vec<Vec<Row>>>>()?;
        let start = Instant::now();
        for step in &rows {
            insert(&raw, step)?;
        }
        raw_times.push(start.elapsed());
    }
    let (port, full, raw) = (rate(port_times)?, rate(full_times)?, rate(raw_times)?);
    println!("{RECORDS} records a transaction, median of {ROUNDS} rounds of {STEPS} transactions:");
    println!("  raw inserts        {raw:>9.0} records/s");
    println!("  through the port   {port:>9.0} records/s");
    println!("  ratio              {:>9.2} (at least 0.5)", port / raw);
    println!("  durability normal  {:>9.3} ms a transaction", transaction_ms(port));
    println!("  durability full    {:>9.3} ms a transaction", transaction_ms(full));
    println!("  ratio              {:>9.1}", port / full);
    ensure!(port / raw >= 0.5, "the port has less than half the rate of raw inserts");
    Ok(())
}

type Row = (i64, &'static str, i64, i64, String);

/// Appends the steps, one transaction each, and returns how long it took.
async fn append(
    log: &impl MessageLog,
    session: &SessionId,
    steps: &[Vec<Record>],
) -> anyhow::Result<Duration> {
    let start = Instant::now();
    for step in steps {
        log.append(session, step).await?;
    }
    Ok(start.elapsed())
}

/// Milliseconds of one transaction at a rate of records.
fn transaction_ms(rate: f64) -> f64 {
    RECORDS as f64 * 1_000.0 / rate
}

fn rate(mut times: Vec<Duration>) -> anyhow::Result<f64> {
    times.sort_unstable();
    let median = times.get(times.len() / 2).context("nothing was timed")?;
    Ok((RECORDS * STEPS) as f64 / median.as_secs_f64())
}

fn records(step: u64) -> Vec<Record> {
    let record = |index: u64| {
        let seq = step * RECORDS + index + 1;
        let text = format!(
            "src/module_{seq}.rs:{}: checked the bounds of every slice in this function\n",
            seq % 900
        );
        let message = Message::results([ToolResult::text(format!("call-{seq}"), text.repeat(4))]);
        let body = RecordBody::Message(MessageRecord { message, source: Source::Tools, usage: None });
        Record { seq: Seq(seq), at: Millis(1_700_000_000_000), exchange: ExchangeId(step + 1), body }
    };
    (0..RECORDS).map(record).collect()
}

fn row(record: &Record) -> anyhow::Result<Row> {
    let payload = serde_json::to_string(&record.body)?;
    let number = |number: u64| i64::try_from(number);
    Ok((number(record.seq.0)?, record.body.kind(), number(record.exchange.0)?, record.at.0, payload))
}

fn raw_database(path: &std::path::Path) -> anyhow::Result<Connection> {
    let raw = Connection::open(path)?;
    raw.execute_batch(include_str!("raw.sql"))?;
    Ok(raw)
}

fn insert(raw: &Connection, rows: &[Row]) -> anyhow::Result<()> {
    raw.execute_batch("BEGIN IMMEDIATE")?;
    let mut statement = raw.prepare_cached("INSERT INTO log VALUES ('bench', ?, ?, ?, ?, ?)")?;
    for (seq, kind, exchange, at, payload) in rows {
        statement.execute(params![seq, kind, exchange, at, payload])?;
    }
    raw.execute_batch("COMMIT")?;
    Ok(())
}
