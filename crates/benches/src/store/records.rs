//! The session in a store, as this program stores it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use sqlx::PgConnection;
use throughline_agent::Agent;
use throughline_budget::ScriptAwareEstimator;
use throughline_completion::ModelInfo;
use throughline_completion::ScriptedModel;
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo, SnapshotStore as _};
use throughline_conversation::{Millis, Seq};
use throughline_documents::DocumentCaps;
use throughline_policies::Policy;
use throughline_resultstore::ResultRepository as _;
use throughline_store::Store;
use tokio::sync::Mutex;

use crate::figures::{Entrant, LOOKS, Mark, marks, needle};
use crate::median::median;
use crate::recorded::{RecordedSession, WINDOW, Write};

/// How the size of a database is measured.
pub(crate) enum DatabaseSize {
    File(PathBuf),
    Server(Mutex<PgConnection>),
}

/// What all tables take with their indexes. Rows that were replaced count until the server reuses their room.
pub(crate) const TABLES: &str = "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class \
                                 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";

/// How often the write-ahead log is tried to be folded into the file.
const TRIES: usize = 100;

impl DatabaseSize {
    async fn bytes(&self, store: &Store) -> anyhow::Result<u64> {
        match self {
            Self::File(file) => {
                // A connection of the pool may still be finishing a read.
                for _ in 0..TRIES {
                    if store.fold().await? {
                        return Ok(file.metadata()?.len());
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                bail!("the write-ahead log could not be folded into the file")
            }
            Self::Server(connection) => {
                let size: i64 = sqlx::query_scalar(TABLES).fetch_one(&mut *connection.lock().await).await?;
                Ok(size.unsigned_abs())
            }
        }
    }
}

/// Writes the session, opens it and searches in it.
pub(crate) async fn measure(
    name: &'static str,
    store: &Store,
    size: &DatabaseSize,
    folder: &Path,
    session: &RecordedSession,
) -> anyhow::Result<Entrant> {
    let info = SessionInfo {
        id: session.id.clone(),
        title: "bench".to_owned(),
        workspace: String::new(),
        model: "scripted".to_owned(),
        created: Millis(0),
    };
    store.sessions().create(&info).await?;
    let lock = store.lock(folder, &session.id).await?;
    let (log, snapshots, results) = (store.message_log(), store.snapshots(), store.results());
    let mut measured = vec![Mark { requests: 0, spent: Duration::ZERO, bytes: size.bytes(store).await? }];
    let marks = marks(session.requests.len());
    let mut spent = Duration::ZERO;
    for (number, writes) in (1..).zip(&session.requests) {
        let start = Instant::now();
        for write in writes {
            match write {
                Write::Records(records) => log.append(&session.id, records).await?,
                Write::Snapshot(snapshot) => snapshots.save(snapshot).await?,
                Write::Result(result) => results.put(result).await?,
            }
        }
        spent += start.elapsed();
        if marks.contains(&number) {
            measured.push(Mark { requests: number as u64, spent, bytes: size.bytes(store).await? });
        }
    }
    lock.give_back().await;
    let (open, search) = (open(store, session).await?, search(store, session).await?);
    Ok(Entrant { name, is_list: false, measured, samples: Vec::new(), open, search })
}

/// The time until the agent could answer.
async fn open(store: &Store, session: &RecordedSession) -> anyhow::Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..LOOKS {
        let info = ModelInfo::with_window("scripted", WINDOW.0, WINDOW.1);
        let model = Arc::new(ScriptedModel::new(info, Box::new(ScriptAwareEstimator), []));
        let settings = Policy::Throughline.settings(WINDOW.0, WINDOW.1);
        let builder = Agent::builder(model, Arc::new(ScriptAwareEstimator), settings)
            .documents(DocumentCaps::default())
            .log(Arc::new(store.message_log()))
            .snapshots(Arc::new(store.snapshots()))
            .results(Arc::new(store.results()));
        let start = Instant::now();
        let agent = builder.open(session.id.clone()).await?;
        times.push(start.elapsed());
        ensure!(!agent.view().entries().is_empty() && agent.rebuilt().is_none(), "the snapshot was not used");
    }
    median(times)
}

/// The time until the messages are there that have a word which few have.
async fn search(store: &Store, session: &RecordedSession) -> anyhow::Result<Duration> {
    let words = [needle(session.requests.len())];
    let mut times = Vec::new();
    for _ in 0..LOOKS {
        let start = Instant::now();
        let (mut found, mut after) = (0, Seq(0));
        loop {
            let page = store.records_that_may_have(&session.id, &words, after).await?;
            let Some(last) = page.last() else { break };
            after = last.seq;
            found += page.len();
        }
        times.push(start.elapsed());
        ensure!(found > 0, "the word was not found");
    }
    median(times)
}
