//! Compactors of other frameworks over the same recordings and the same generated work, priced and searched like ours.
//!
//! Each runs in its own framework, in a child process. Where it asks a model for a summary, it gets what the simulated peers
//! write: a ledger of 2,000 tokens. So no model is needed, and nothing is drawn by chance.
//!
//! To add one, list a class in a `*_policies.py` of `crates/benches/thirdparty`, and its package in `xtask/src/benches.rs`.

mod page;
mod plot;
mod process;
mod row;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use throughline_conversation::Message;
use throughline_policies::{Estimator, Policy};
use throughline_replay::{
    CLAIRVOYANT, PeerOptions, RecordedSession, ReplayOptions, SessionNeeds, replay, replay_external,
    replay_needing, replay_peers_needing,
};

use self::process::{ThirdParty, start};
use self::row::Row;
use crate::entrants::{Entrant, entrants};
use crate::generated;
use crate::observed::{AfterCut, Observed, Observer};
use crate::recordings::{self, Measure, OVERHEAD, RESERVED};
use crate::scored;

/// Windows in tokens.
const WINDOWS: [u64; 2] = [64_000, 100_000];

/// Turns of the generated work: all rules are given in the first four.
const TURNS: usize = 8;

/// The simulated peer that is in the table, and the bound.
const PEERS: [&str; 2] = ["claude", CLAIRVOYANT];

/// The rows of a window.
#[derive(Debug)]
pub(crate) struct Table {
    window: u64,
    rows: Vec<Row>,
}

/// Runs every compactor and prints the page's part. `write` is the folder of the page that it is written into.
pub(crate) async fn run(folder: &Path, measure: Measure, write: Option<&Path>) -> anyhow::Result<()> {
    let sessions = recordings::sessions(folder, measure)?;
    let needs: Vec<SessionNeeds> = sessions.iter().map(|session| SessionNeeds::of(session)).collect();
    let sessions: Vec<_> = sessions.into_iter().zip(needs).collect();
    let compactors = compactors()?;
    let mut left = BTreeMap::new();
    for entrant in entrants(scored::WINDOW, RESERVED).iter().filter(|entrant| is_ours(entrant)) {
        left.insert(entrant.name.clone(), left_by_ours(entrant, measure).await?);
    }
    for compactor in &compactors {
        left.insert(compactor.about.name.clone(), left_by_theirs(compactor, measure)?);
    }
    let mut tables = Vec::new();
    for window in WINDOWS {
        let mut rows = Vec::new();
        for entrant in entrants(window, RESERVED).iter().filter(|entrant| is_ours(entrant)) {
            rows.push(ours(&sessions, window, entrant, measure).await?);
        }
        rows.extend(simulated(&sessions, window, measure));
        for compactor in &compactors {
            rows.push(theirs(&sessions, window, compactor, measure)?);
        }
        for row in &mut rows {
            row.left = left.get(row.name()).copied().flatten();
        }
        rows.sort_by(|one, other| one.ratio().total_cmp(&other.ratio()));
        tables.push(Table { window, rows });
    }
    let requests = sessions.iter().map(|(session, _)| session.steps().count()).sum();
    let text = page::part(&tables, sessions.len(), requests);
    println!("{text}");
    match write {
        Some(folder) => page::write(folder, &text, &tables),
        None => Ok(()),
    }
}

/// The compactors of both drivers.
fn compactors() -> anyhow::Result<Vec<ThirdParty>> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("thirdparty");
    let named = |variable: &str| {
        std::env::var_os(variable)
            .with_context(|| format!("{variable} is not set; run this with `cargo xtask bench thirdparty`"))
    };
    let python = named("THROUGHLINE_COMPACTORS_PYTHON")?;
    let node = Path::new(&named("THROUGHLINE_COMPACTORS_NODE")?).join("node");
    let mut all = start(Path::new(&python), &scripts.join("driver.py"))?;
    all.extend(start(&node, &scripts.join("driver.mjs"))?);
    ensure!(!all.is_empty(), "there is no compactor in {}", scripts.display());
    Ok(all)
}

type Sessions = [(Arc<RecordedSession>, SessionNeeds)];

async fn ours(sessions: &Sessions, window: u64, entrant: &Entrant, measure: Measure) -> anyhow::Result<Row> {
    let mut row = Row::of_ours(&entrant.name);
    for (session, needs) in sessions {
        let options = recordings::options(window, entrant, measure);
        let report = replay_needing(session, needs.clone(), &options).await;
        let report = report.with_context(|| session.file.display().to_string())?;
        row.add(&report.prices, report.over_window, report.invalid_requests);
    }
    Ok(row)
}

fn is_ours(entrant: &Entrant) -> bool {
    entrant.policy == Policy::Throughline
}

fn theirs(sessions: &Sessions, window: u64, compactor: &ThirdParty, measure: Measure) -> anyhow::Result<Row> {
    println!("running: {} at {window}", compactor.about.name);
    let mut row = Row::of_theirs(&compactor.about);
    let options = peer_options(window, measure);
    for (session, needs) in sessions {
        let report = replay_external(session, needs, &options, compactor, &mut |_| ());
        let report =
            report.with_context(|| format!("{}: {}", compactor.about.name, session.file.display()))?;
        row.add(&report.prices, report.dropped, report.invalid);
    }
    Ok(row)
}

/// The first turns of the generated work: some compactors take time with the square of a session's length.
fn work() -> RecordedSession {
    let mut work = generated::session();
    work.turns.truncate(TURNS);
    work
}

/// What the last compaction of generated work leaves.
async fn left_by_ours(entrant: &Entrant, measure: Measure) -> anyhow::Result<Option<AfterCut>> {
    let observer = Arc::new(Observer::default());
    let options = ReplayOptions {
        check: Some(observer.clone()),
        ..recordings::options(scored::WINDOW, entrant, measure)
    };
    let work = Arc::new(work());
    replay(&work, &options).await.with_context(|| format!("{}: generated work", entrant.name))?;
    Ok(observer.seen().cuts.last().copied())
}

/// The same under a compactor.
fn left_by_theirs(compactor: &ThirdParty, measure: Measure) -> anyhow::Result<Option<AfterCut>> {
    let work = work();
    let options = peer_options(scored::WINDOW, measure);
    let mut observed = Observed::default();
    let mut seen = |messages: &[&Message]| {
        let tokens = messages.iter().map(|message| options.counter.message(message)).sum();
        observed.note(tokens, || messages.iter().map(|message| crate::recall::text_of(message)).collect());
    };
    replay_external(&work, &SessionNeeds::of(&work), &options, compactor, &mut seen)
        .with_context(|| format!("{}: generated work", compactor.about.name))?;
    Ok(observed.cuts.last().copied())
}

fn simulated(sessions: &Sessions, window: u64, measure: Measure) -> Vec<Row> {
    let options = peer_options(window, measure);
    let mut rows = PEERS.map(Row::of_peer);
    for report in sessions.iter().flat_map(|(session, needs)| replay_peers_needing(session, needs, &options))
    {
        if let Some(row) = rows.iter_mut().find(|row| row.is_of(report.peer)) {
            row.add(&report.prices, report.dropped, 0);
        }
    }
    rows.into()
}

fn peer_options(window: u64, measure: Measure) -> PeerOptions {
    PeerOptions {
        window,
        scale: measure.scale,
        max_output: RESERVED,
        overhead: OVERHEAD,
        counter: Estimator::Script.counter(),
        clock: true,
    }
}
