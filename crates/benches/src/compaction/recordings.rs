//! Recorded sessions under every policy and the simulated peers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use throughline_conversation::{Message, TokenCounter};
use throughline_policies::{Estimator, SummaryStyle};
use throughline_replay::{
    PeerOptions, PriceReport, RecordedSession, ReplayOptions, Stores, TokenScale, read_session, replay,
    replay_peers,
};

use crate::entrants::{Entrant, entrants};

/// Windows in tokens.
const WINDOWS: [u64; 3] = [64_000, 100_000, 200_000];
/// Tokens reserved for an answer.
pub(crate) const RESERVED: u64 = 4_096;
/// Tokens of system prompt and tools.
pub(crate) const OVERHEAD: u64 = 6_000;
/// The peer whose cost is the measure of all others.
const MEASURE: &str = "claude";

/// In what a comparison counts, and over what.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Measure {
    /// Whose tokens the windows are in.
    pub(crate) scale: TokenScale,
    /// Sessions whose whole history needs less than this share of the window are left out.
    pub(crate) least_share: f64,
    /// Only every second session: what is tuned on one half is measured on the other.
    pub(crate) half: Option<Half>,
    /// Who writes the summaries of policies; `None`: as each of them says.
    pub(crate) summary: Option<SummaryStyle>,
}

/// Every second session, in the order of the names of their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    /// The first, the third …
    First,
    /// The second, the fourth …
    Second,
}

impl Half {
    /// The half by its name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "first" => Some(Self::First),
            "second" => Some(Self::Second),
            _ => None,
        }
    }

    fn has(self, place: usize) -> bool {
        place.is_multiple_of(2) == (self == Self::First)
    }
}

impl Measure {
    /// The counter. Simulators that know no provider's tokens count a quarter of the characters.
    fn estimator(self, own: Estimator) -> Estimator {
        match self.scale {
            TokenScale::Provider => own,
            TokenScale::Counter => Estimator::Chars4,
        }
    }

    /// Returns true if a session is long enough for the window.
    pub(crate) fn includes(self, session: &RecordedSession, window: u64) -> bool {
        let counter = self.estimator(Estimator::Script).counter();
        OVERHEAD as f64 + whole_history(session, counter.as_ref()) as f64 >= self.least_share * window as f64
    }
}

fn whole_history(session: &RecordedSession, counter: &dyn TokenCounter) -> u64 {
    let users = session.turns.iter().map(|turn| counter.message(&turn.user)).sum::<u64>();
    let steps = session.steps().map(|step| {
        let results = Message::results(step.results.iter().cloned());
        counter.message(&step.assistant) + if step.results.is_empty() { 0 } else { counter.message(&results) }
    });
    users + steps.sum::<u64>()
}

/// Sums of a row.
#[derive(Debug, Default, Clone)]
pub(crate) struct Sums {
    name: String,
    pub(crate) cost: f64,
    pub(crate) summaries: f64,
    regret: f64,
    pub(crate) full: f64,
    /// Names that the answers use and that were in the request, of how many.
    pub(crate) names: (f64, u64),
    /// The same of lines of edits.
    pub(crate) lines: (f64, u64),
    pub(crate) cuts: u64,
    overtaken: u64,
    faults: u64,
}

impl Sums {
    /// A row without a session.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a session.
    pub(crate) fn add(&mut self, prices: &PriceReport) {
        self.cost += prices.cost_anthropic_clock;
        self.summaries += prices.summaries_anthropic;
        self.regret += prices.regret_anthropic;
        self.full += prices.cost_anthropic_clock / prices.ratio_anthropic_clock.max(f64::MIN_POSITIVE);
        let count = |sum: &mut (f64, u64), share: f64, of: u64| {
            sum.0 += share * of as f64;
            sum.1 += of;
        };
        count(&mut self.names, prices.recall_names, prices.recall_names_of);
        count(&mut self.lines, prices.recall_edit_lines, prices.recall_edit_lines_of);
        self.cuts += prices.cuts;
        self.overtaken += prices.cuts_overtaken;
    }

    fn total(&self) -> f64 {
        self.cost + self.regret
    }

    /// Price with what was needed again, over that of sending the whole history.
    pub(crate) fn ratio(&self) -> f64 {
        self.total() / self.full
    }
}

/// Reads every session below a folder, or half of them.
pub(crate) fn sessions(folder: &Path, measure: Measure) -> anyhow::Result<Vec<Arc<RecordedSession>>> {
    let mut sessions = Vec::new();
    let of_half = |(place, file)| measure.half.is_none_or(|half| half.has(place)).then_some(file);
    for file in files(folder)?.into_iter().enumerate().filter_map(of_half) {
        match read_session(&file) {
            Ok(session) => sessions.push(Arc::new(session)),
            Err(error) => println!("skipped: {}: {error}", file.display()),
        }
    }
    ensure!(!sessions.is_empty(), "{} holds no recorded session", folder.display());
    Ok(sessions)
}

/// Replays every session below a folder and prints a table for each window.
pub(crate) async fn run(folder: &Path, measure: Measure) -> anyhow::Result<()> {
    let sessions = sessions(folder, measure)?;
    let requests: usize = sessions.iter().map(|session| session.steps().count()).sum();
    println!("replay: {} sessions, {requests} requests of {}", sessions.len(), folder.display());
    println!(
        "PRICE: input at Anthropic's prices over sending the whole history, with a cache of 5 minutes; SUMM is the part of"
    );
    println!(
        "it for requests that ask a model for a summary. REGRET: with one more step for each answer that uses what had"
    );
    println!(
        "left. OVER: REGRET over that of {MEASURE}. FAULTS: requests that are invalid or too large, failed turns, results"
    );
    println!("that could not be read back.");
    if measure.scale == TokenScale::Counter {
        println!("Tokens are a quarter of the characters, for the windows too, not a provider's.");
    }
    for window in WINDOWS {
        let long: Vec<_> =
            sessions.iter().filter(|session| measure.includes(session, window)).cloned().collect();
        if long.len() < sessions.len() {
            let short = sessions.len() - long.len();
            println!("\n  {short} sessions need less than {} of this window: left out.", measure.least_share);
        }
        let mut rows = Vec::new();
        for entrant in entrants(window, RESERVED) {
            let mut sums = Sums::named(&entrant.name);
            for session in &long {
                add_replay(&mut sums, session, options(window, &entrant, measure)).await?;
            }
            rows.push(sums);
        }
        rows.extend(peers(&long, window, measure));
        print(window, &rows);
    }
    Ok(())
}

/// Replays a session and adds what it cost.
pub(crate) async fn add_replay(
    sums: &mut Sums,
    session: &Arc<RecordedSession>,
    options: ReplayOptions,
) -> anyhow::Result<()> {
    let report = replay(session, &options).await.with_context(|| format!("{}", session.file.display()))?;
    sums.add(&report.prices);
    sums.faults +=
        report.invalid_requests + report.over_window + report.failed_turns + report.read_back_failed;
    Ok(())
}

/// A replay in memory.
pub(crate) fn options(window: u64, entrant: &Entrant, measure: Measure) -> ReplayOptions {
    let estimator = measure.estimator(entrant.estimator);
    let mut settings = entrant.settings.clone();
    if let Some(style) = measure.summary {
        settings.compaction = style.apply(entrant.policy, settings.compaction);
    }
    ReplayOptions {
        window,
        settings,
        policy: entrant.name.clone(),
        counter: estimator.counter(),
        scale: measure.scale,
        estimator: estimator.name().to_owned(),
        overhead: OVERHEAD,
        check: None,
        clock: true,
        stores: Stores::default(),
        session: None,
    }
}

fn peers(sessions: &[Arc<RecordedSession>], window: u64, measure: Measure) -> Vec<Sums> {
    let options = PeerOptions {
        window,
        scale: measure.scale,
        max_output: RESERVED,
        overhead: OVERHEAD,
        counter: measure.estimator(Estimator::Script).counter(),
        clock: true,
    };
    let mut rows: Vec<Sums> = Vec::new();
    for report in sessions.iter().flat_map(|session| replay_peers(session, &options)) {
        match rows.iter_mut().find(|row| row.name == report.peer) {
            Some(row) => row.add(&report.prices),
            None => {
                let mut row = Sums::named(report.peer);
                row.add(&report.prices);
                rows.push(row);
            }
        }
    }
    rows
}

fn print(window: u64, rows: &[Sums]) {
    let measure = rows.iter().find(|row| row.name == MEASURE).map_or(f64::NAN, Sums::total);
    println!("\n  WINDOW {window:<15} CUTS  UNPAID  PRICE   SUMM  REGRET   OVER  NAMES  LINES  FAULTS");
    let share = |(found, of): (f64, u64)| match of {
        0 => "-".to_owned(),
        of => format!("{:.1}", 100.0 * found / of as f64),
    };
    for row in rows {
        println!(
            "  {:<22} {:>4} {:>7} {:>6.3} {:>6.3} {:>7.3} {:>6.2} {:>6} {:>6} {:>7}",
            row.name,
            row.cuts,
            row.overtaken,
            row.cost / row.full,
            row.summaries / row.full,
            row.total() / row.full,
            row.total() / measure,
            share(row.names),
            share(row.lines),
            row.faults,
        );
    }
}

/// The files below a folder that may be recordings, sorted.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let known = |end: &&str| path.to_string_lossy().ends_with(end);
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if ["json", "jsonl", "traj", "gz"].iter().any(known) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
