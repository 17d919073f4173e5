//! What a compaction of Claude Code costs that our module answers, as its session grows.
//!
//! A transcript is written as Claude Code writes it: one turn with a compaction every six requests, whose rows come back into
//! the file. Each compaction is a process of the binary, as the module starts it, with the real database. Run with
//! `cargo xtask bench compactor`; `--requests N` is the length of the session, 200 at least. It fails when one takes longer than
//! 150 ms, or when the last ones take more than twice the time of those of the first 160 requests.

mod transcript;

#[path = "../median.rs"]
mod median;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

use median::median;
use transcript::{ID, Transcript};

/// Requests of the session.
const REQUESTS: usize = 1_600;
/// Fewest of them that show anything.
const LEAST: usize = 200;
/// Requests between two compactions.
const BETWEEN: usize = 6;
/// The requests that the last ones are compared with.
const EARLY: usize = 160;
/// Compactions of one figure.
const COMPARED: usize = 9;
/// Maximum time of one.
const MAX_TIME: Duration = Duration::from_millis(150);
/// How much slower the last ones may be.
const MAX_RATIO: f64 = 2.0;

fn main() -> anyhow::Result<()> {
    let binary = std::env::var_os("THROUGHLINE_BIN").map(PathBuf::from);
    let binary = binary.context("THROUGHLINE_BIN names the binary; `cargo xtask bench compactor` sets it")?;
    let requests = requests()?;
    let folder = tempfile::Builder::new().prefix("bench-compactor-").tempdir()?;
    let module = Module { binary: &binary, home: folder.path(), data: folder.path().join("data") };
    let mut transcript = Transcript::begin(&folder.path().join(format!("{ID}.jsonl")))?;
    let (mut times, mut answered) = (Vec::new(), String::new());
    for request in 1..=requests {
        answered = transcript.step()?;
        if request % BETWEEN == 0 {
            let (took, answer) = module.compact(transcript.path(), &answered)?;
            transcript.compacted(&answer)?;
            times.push((request, took));
        }
    }
    let figure = |end: usize| -> anyhow::Result<Duration> {
        let until = times.iter().rev().filter(|(request, _)| *request <= end);
        median(until.take(COMPARED).map(|(_, took)| *took).collect())
    };
    let first: Vec<Duration> = times.iter().take(COMPARED).map(|(_, took)| *took).collect();
    let (first, early, last) = (median(first)?, figure(EARLY)?, figure(requests)?);
    let slowest = times.iter().max_by_key(|(_, took)| *took).context("nothing was compacted")?;
    // With an empty data folder the whole transcript is read.
    let whole =
        Module { data: folder.path().join("other"), ..module }.compact(transcript.path(), &answered)?.0;
    println!(
        "{} compactions in {requests} requests, a transcript of {} MB",
        times.len(),
        transcript.bytes()? / 1_000_000
    );
    println!("  the first {COMPARED}, median:           {}", shown(first));
    println!("  up to request {EARLY}, median:       {}", shown(early));
    println!("  up to request {requests}, median:     {}, {:.2} times", shown(last), ratio(last, early));
    println!(
        "  slowest, at request {:>5}:         {} (at most {} ms)",
        slowest.0,
        shown(slowest.1),
        MAX_TIME.as_millis()
    );
    println!("  one that reads the whole file:   {}", shown(whole));
    ensure!(slowest.1 <= MAX_TIME, "a compaction takes more than {} ms", MAX_TIME.as_millis());
    ensure!(ratio(last, early) <= MAX_RATIO, "the time of a compaction grows with the session");
    Ok(())
}

fn requests() -> anyhow::Result<usize> {
    let mut args = std::env::args().skip(1);
    let requests = match (args.next().as_deref(), args.next(), args.next()) {
        (None, ..) => REQUESTS,
        (Some("--requests"), Some(number), None) => number.parse().context("--requests takes a number")?,
        _ => bail!("the only option is --requests N"),
    };
    ensure!(requests >= LEAST, "--requests must be {LEAST} at least");
    Ok(requests)
}

/// The module of Claude Code, which runs the binary.
struct Module<'b> {
    binary: &'b Path,
    home: &'b Path,
    data: PathBuf,
}

impl Module<'_> {
    /// How long an answer takes, and the answer.
    fn compact(&self, transcript: &Path, answered: &str) -> anyhow::Result<(Duration, Value)> {
        let input = json!({
            "hook_event_name": "SessionCompact",
            "session_id": ID,
            "transcript_path": transcript,
            "cwd": self.home,
            "compaction": {"trigger": "auto", "window": 200_000, "answered": [answered]},
        });
        let mut command = Command::new(self.binary);
        command.args(["watch", "--hook", "claude", "--data-dir"]).arg(&self.data);
        command.env("HOME", self.home).current_dir(self.home).stdin(Stdio::piped()).stdout(Stdio::piped());
        let begun = Instant::now();
        let mut child = command.spawn().context("could not start the binary")?;
        child.stdin.take().context("no stdin")?.write_all(input.to_string().as_bytes())?;
        let output = child.wait_with_output()?;
        let took = begun.elapsed();
        ensure!(output.status.success(), "the binary ended with {}", output.status);
        Ok((took, serde_json::from_slice(&output.stdout).context("there is no view")?))
    }
}

fn shown(time: Duration) -> String {
    format!("{:>6.1} ms", time.as_secs_f64() * 1e3)
}

fn ratio(time: Duration, of: Duration) -> f64 {
    time.as_secs_f64() / of.as_secs_f64()
}
