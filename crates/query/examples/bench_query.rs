//! What a first query costs: copying a session's rows, next to raw inserts of the same rows; and what the next ones cost.
//!
//! Run with `cargo run --release -p throughline-query --example bench_query`. It fails when the first query of
//! 100,000 rows takes three times as long as reading them and inserting them raw.

#![expect(clippy::expect_used, reason = "a bench that cannot run says so by a panic")]

use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use throughline_continuity::{InMemoryMessageLog, MessageLog};
use throughline_conversation::{
    ContentBlock, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Role, Seq, SessionId,
    Source, ToolCall, ToolResult,
};
use throughline_history::{GroupMarks, HistoryDatabase, SessionHistory, history_rows};
use throughline_query::SqliteHistory;

/// Rounds; the median counts.
const ROUNDS: usize = 5;
/// The first query over reading the rows and inserting them raw.
const MAX_RATIO: f64 = 3.0;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let mut ratio = 0.0;
    for count in [1_000, 10_000, 100_000] {
        let mut times: [Vec<Duration>; 6] = Default::default();
        for _ in 0..ROUNDS {
            let round = round(count).await;
            for (all, time) in times.iter_mut().zip(round) {
                all.push(time);
            }
        }
        let [raw, rows, first, again, like, grown] = times.map(median);
        println!("{count} rows of 300 bytes, median of {ROUNDS}:");
        println!("  raw inserts                    {raw:>10.1?}");
        println!("  reading the log, making rows   {rows:>10.1?}");
        println!("  first query, all of it         {first:>10.1?}");
        println!("  the same query again           {again:>10.1?}");
        println!("  a search by LIKE               {like:>10.1?}");
        println!("  after ten more records         {grown:>10.1?}");
        ratio = first.as_secs_f64() / (raw + rows).as_secs_f64();
    }
    println!("the first query over reading and raw inserts: {ratio:.2} (at most {MAX_RATIO})");
    assert!(ratio <= MAX_RATIO, "the first query takes {ratio:.2} times as long");
}

async fn round(count: u64) -> [Duration; 6] {
    let session = SessionId::new("bench").expect("a valid name");
    let log = InMemoryMessageLog::new();
    let records: Vec<Record> = (1..=count).map(record).collect();
    log.append(&session, &records).await.expect("the log takes them");
    let marks = GroupMarks::default();
    let history = SessionHistory { log: &log, session: &session, marks: &marks };
    let raw = raw_inserts(&records);
    let rows = timed(history.rows_after(Seq(0))).await;
    let database = SqliteHistory::default();
    let ask = |sql: &'static str| async {
        database.query(&history, sql).await.expect("the query runs");
    };
    let first = timed(ask("SELECT count(*) FROM messages")).await;
    let again = timed(ask("SELECT count(*) FROM messages")).await;
    let like = timed(ask("SELECT id FROM messages WHERE content LIKE '%nowhere to be found%'")).await;
    let more: Vec<Record> = (count + 1..=count + 10).map(record).collect();
    log.append(&session, &more).await.expect("the log takes them");
    let grown = timed(ask("SELECT count(*) FROM messages WHERE id = 10000")).await;
    [raw, rows, first, again, like, grown]
}

async fn timed<T>(work: impl Future<Output = T>) -> Duration {
    let begun = Instant::now();
    let done = work.await;
    let took = begun.elapsed();
    drop(done);
    took
}

fn record(seq: u64) -> Record {
    let text = format!("{seq:>8} the quick brown fox jumps over the lazy dog; ").repeat(6);
    let (message, source) = if seq.is_multiple_of(2) {
        (Message::results([ToolResult::text(format!("c{seq}"), text)]), Source::Tools)
    } else {
        let input = serde_json::json!({ "text": text });
        let call = ToolCall { id: format!("c{}", seq + 1), name: "bench".to_owned(), input };
        let message = Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] };
        (message, Source::Model("bench".to_owned()))
    };
    let body = RecordBody::Message(MessageRecord { message, source, usage: None });
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(seq / 8), body }
}

fn raw_inserts(records: &[Record]) -> Duration {
    let rows = history_rows(records.iter().cloned(), &GroupMarks::default());
    let mut connection = Connection::open_in_memory().expect("SQLite opens");
    connection
        .execute_batch(
            "PRAGMA journal_mode = OFF; CREATE TABLE messages(id INTEGER PRIMARY KEY, group_id, seq, role, kind, \
             status, tool_name, tool_call_id, is_error, content, model, tokens, created_at)",
        )
        .expect("the table is made");
    let begun = Instant::now();
    let transaction = connection.transaction().expect("it begins");
    {
        let mut insert = transaction
            .prepare("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .expect("the statement is valid");
        for row in &rows {
            let (group, seq) = (row.group.0.cast_signed(), row.seq.0.cast_signed());
            let values = params![
                row.id,
                group,
                seq,
                "user",
                "text",
                "completed",
                row.tool_name,
                row.tool_call_id,
                row.is_error,
                row.content,
                row.model,
                row.tokens,
                row.created_at.0,
            ];
            insert.execute(values).expect("the row goes in");
        }
    }
    transaction.commit().expect("it ends");
    begun.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
