//! The session as a checkpointer stores it that writes all of the state at each step: every checkpoint is a row with the
//! whole list of messages. LangGraph's checkpointers have this shape.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rusqlite::params;
use sqlx::{Connection as _, PgConnection};
use throughline_conversation::{Message, RecordBody};

use crate::figures::{EARLY, Entrant, LOOKS, Mark, Sample, marks, needle};
use crate::median::median;
use crate::recorded::{RecordedSession, Write};
use crate::records::TABLES;

/// A sample is taken this many requests before a mark, in the middle of a turn.
const BEFORE: usize = 5;

/// Where the lists are stored.
pub(crate) enum ListPlace {
    File(rusqlite::Connection),
    Server(PgConnection),
}

impl ListPlace {
    /// A database file with the journal mode of the sessions.
    pub(crate) fn file(path: &Path) -> anyhow::Result<Self> {
        let connection = rusqlite::Connection::open(path)?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; \
             CREATE TABLE checkpoints (thread TEXT NOT NULL, step INTEGER NOT NULL, state BLOB NOT NULL, \
             PRIMARY KEY (thread, step));",
        )?;
        Ok(Self::File(connection))
    }

    /// A table on a server.
    pub(crate) async fn server(url: &str) -> anyhow::Result<Self> {
        let mut connection = PgConnection::connect(url).await?;
        let table = "CREATE TABLE checkpoints (thread TEXT NOT NULL, step BIGINT NOT NULL, state BYTEA NOT NULL, \
                     PRIMARY KEY (thread, step))";
        sqlx::query(table).execute(&mut connection).await?;
        Ok(Self::Server(connection))
    }

    async fn put(&mut self, step: i64, messages: &[Message]) -> anyhow::Result<()> {
        let state = serde_json::to_vec(messages)?;
        match self {
            Self::File(connection) => {
                let mut insert =
                    connection.prepare_cached("INSERT INTO checkpoints VALUES ('bench', ?, ?)")?;
                insert.execute(params![step, state])?;
            }
            Self::Server(connection) => {
                let insert = sqlx::query("INSERT INTO checkpoints VALUES ('bench', $1, $2)");
                insert.bind(step).bind(state).execute(connection).await?;
            }
        }
        Ok(())
    }

    async fn newest(&mut self) -> anyhow::Result<Vec<Message>> {
        let select = "SELECT state FROM checkpoints WHERE thread = 'bench' ORDER BY step DESC LIMIT 1";
        let state: Vec<u8> = match self {
            Self::File(connection) => connection.prepare_cached(select)?.query_row([], |row| row.get(0))?,
            Self::Server(connection) => sqlx::query_scalar(select).fetch_one(connection).await?,
        };
        Ok(serde_json::from_slice(&state)?)
    }

    async fn bytes(&mut self) -> anyhow::Result<u64> {
        match self {
            Self::File(connection) => {
                connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
                let path = connection.path().context("the database is in memory")?;
                Ok(Path::new(path).metadata()?.len())
            }
            Self::Server(connection) => {
                let size: i64 = sqlx::query_scalar(TABLES).fetch_one(connection).await?;
                Ok(size.unsigned_abs())
            }
        }
    }
}

/// Writes the lists of all early requests. Later ones, which cost more and more, are samples.
pub(crate) async fn measure(
    name: &'static str,
    mut place: ListPlace,
    session: &RecordedSession,
) -> anyhow::Result<Entrant> {
    let mut measured = vec![Mark { requests: 0, spent: Duration::ZERO, bytes: place.bytes().await? }];
    let mut samples = Vec::new();
    let marks = marks(session.requests.len());
    let mut messages: Vec<Message> = Vec::new();
    let (mut step, mut spent) = (0, Duration::ZERO);
    for (number, writes) in (1..).zip(&session.requests) {
        let is_sample = number > EARLY && marks.contains(&(number + BEFORE));
        let is_stored = number <= EARLY || is_sample;
        let before = if is_sample { place.bytes().await? } else { 0 };
        let mut of_request = Duration::ZERO;
        for write in writes {
            let Write::Records(records) = write else { continue };
            let known = messages.len();
            messages.extend(records.iter().filter_map(|record| match &record.body {
                RecordBody::Message(said) => Some(said.message.clone()),
                _ => None,
            }));
            if !is_stored || messages.len() == known {
                continue;
            }
            step += 1;
            let start = Instant::now();
            place.put(step, &messages).await?;
            of_request += start.elapsed();
        }
        spent += of_request;
        if is_sample {
            let bytes = place.bytes().await?.saturating_sub(before);
            samples.push(Sample { requests: number as u64, spent: of_request, bytes });
        } else if number <= EARLY && (marks.contains(&number) || number == EARLY) {
            measured.push(Mark { requests: number as u64, spent, bytes: place.bytes().await? });
        }
    }
    let (open, search) = (open(&mut place).await?, search(&mut place, session).await?);
    Ok(Entrant { name, is_list: true, measured, samples, open, search })
}

/// The time until the messages are in memory.
async fn open(place: &mut ListPlace) -> anyhow::Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..LOOKS {
        let start = Instant::now();
        let messages = place.newest().await?;
        times.push(start.elapsed());
        ensure!(!messages.is_empty(), "the list is empty");
    }
    median(times)
}

/// The time until the messages are there that have a word which few have: they are in the newest list.
async fn search(place: &mut ListPlace, session: &RecordedSession) -> anyhow::Result<Duration> {
    let word = needle(session.requests.len());
    let mut times = Vec::new();
    for _ in 0..LOOKS {
        let start = Instant::now();
        let messages = place.newest().await?;
        let has = |message: &&Message| {
            serde_json::to_string(message).is_ok_and(|json| json.to_ascii_lowercase().contains(&word))
        };
        let found = messages.iter().filter(has).count();
        times.push(start.elapsed());
        ensure!(found > 0, "the word was not found");
    }
    median(times)
}
