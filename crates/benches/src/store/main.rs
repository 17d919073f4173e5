//! What storing a session costs: the records of a step through the log's port, compared with raw inserts; and a session of 10,000
//! requests in SQLite, on a PostgreSQL server, and as a checkpointer stores it that writes the whole list of messages at each step.
//!
//! The session is recorded once from the engine, with a model of a script: every append, snapshot and stored result, in the
//! order in which the engine wrote them. Then each place gets the same writes. Run with `cargo xtask bench store`;
//! `--requests N` measures another length. It fails when the port has less than half the rate of raw inserts, or when a
//! request late in a session takes more than one and a half times the bytes of an early one.

#[path = "../../../cli/tests/postgres/cluster.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "a server of the tests' own, of which this needs a part")]
mod cluster;
mod figures;
mod lists;
#[path = "../median.rs"]
mod median;
mod port;
mod recorded;
mod records;

use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use sqlx::{Connection as _, PgConnection};
use throughline_store::{Durability, ServerUrl, Store};

use cluster::Cluster;
use figures::{Entrant, print};
use lists::ListPlace;
use recorded::RecordedSession;
use records::DatabaseSize;

/// Requests of the session, unless another number is asked for.
const REQUESTS: u64 = 10_000;
/// Fewest requests that say something about growth.
const FEWEST: u64 = 200;
/// A request at the end of a session takes at most this many times the bytes of one at its beginning.
const MOST_GROWTH: f64 = 1.5;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> anyhow::Result<()> {
    let requests = requested()?;
    port::run().await?;
    let session = recorded::record(requests).await?;
    println!();
    println!(
        "a session of {requests} requests as the engine wrote it: {} records, {} snapshots, {} stored results; {:.1} MB of new JSON",
        session.records(),
        session.snapshots(),
        session.results(),
        session.new_bytes() as f64 / 1e6,
    );
    let folder = tempfile::Builder::new().prefix("bench-store-").tempdir_in("/var/tmp")?;
    let mut entrants = in_files(folder.path(), &session).await?;
    match Cluster::missing() {
        None => entrants.extend(on_server(folder.path(), &session).await?),
        Some(reason) => println!("skipped: PostgreSQL: {reason}"),
    }
    print(&entrants, requests);
    for entrant in entrants.iter().filter(|entrant| !entrant.is_list) {
        let growth = entrant.late_growth()? / entrant.early_growth()?;
        ensure!(
            growth <= MOST_GROWTH,
            "{}: a late request takes {growth:.2} times the bytes of an early one",
            entrant.name
        );
    }
    Ok(())
}

fn requested() -> anyhow::Result<u64> {
    let mut arguments = std::env::args().skip(1);
    let requests = match arguments.next().as_deref() {
        None => return Ok(REQUESTS),
        Some("--requests") => arguments.next().context("--requests needs a number")?,
        Some(other) => bail!("{other} is not known; there is --requests N"),
    };
    let number = requests.parse().with_context(|| format!("--requests {requests}: must be a number"))?;
    ensure!(number >= FEWEST, "--requests {number}: must be at least {FEWEST}");
    Ok(number)
}

async fn in_files(folder: &Path, session: &RecordedSession) -> anyhow::Result<Vec<Entrant>> {
    let mut entrants = Vec::new();
    for (name, durability) in [("SQLite", Durability::Normal), ("SQLite, full", Durability::Full)] {
        let file = folder.join(format!("{name}.db"));
        let store = Store::open_with(&file, durability).await?;
        entrants.push(records::measure(name, &store, &DatabaseSize::File(file), folder, session).await?);
        store.close().await?;
    }
    let place = ListPlace::file(&folder.join("list.db"))?;
    entrants.push(lists::measure("lists, SQLite", place, session).await?);
    Ok(entrants)
}

/// A commit waits for the server's disk by default; without that it is as durable as the first file.
async fn on_server(folder: &Path, session: &RecordedSession) -> anyhow::Result<Vec<Entrant>> {
    let cluster = Cluster::durable();
    let mut entrants = Vec::new();
    for (name, option) in [("PostgreSQL", ""), ("PostgreSQL, async", "?options=-csynchronous_commit%3Doff")] {
        let address = cluster.database();
        let url: ServerUrl = format!("{address}{option}").parse()?;
        let store = Store::open_server(&url, Durability::Normal).await?;
        let size = DatabaseSize::Server(PgConnection::connect(&address).await?.into());
        entrants.push(records::measure(name, &store, &size, folder, session).await?);
        store.close().await?;
    }
    let place = ListPlace::server(&cluster.database()).await?;
    entrants.push(lists::measure("lists, PostgreSQL", place, session).await?);
    Ok(entrants)
}
