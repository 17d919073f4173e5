//! Kill -9 at random moments of the demo's session: each time it resumes, nothing that was acknowledged is lost,
//! and every request that is sent is one that the provider would take.
//!
//! `CRASH_ROUNDS` sets the number of sessions (200 without it), `CRASH_SEED` repeats the moments of an earlier
//! run. A moment is a point in the run, so a repeated run meets the same places and not the same instructions.

#[path = "crash/chance.rs"]
mod chance;
#[path = "crash/end.rs"]
mod end;
#[path = "crash/life.rs"]
mod life;
#[path = "crash/log.rs"]
mod log;
#[path = "binary/program.rs"]
mod program;
#[path = "crash/project.rs"]
mod project;
#[path = "crash/round.rs"]
mod round;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use round::{Plan, Tally};

/// Sessions that run side by side. A session mostly waits for its one slow tool.
const SIDE_BY_SIDE: usize = 3;

// S3-20: the log keeps everything, and a resume from snapshot and log sees what the log alone shows.
// S3-31: the worker runs without a terminal.
#[test]
fn a_killed_session_continues_and_loses_nothing() {
    let rounds = number("CRASH_ROUNDS").unwrap().unwrap_or(200);
    let seed = number("CRASH_SEED").unwrap().unwrap_or_else(clock);
    println!("crash: {rounds} rounds, CRASH_SEED={seed}");
    let started = Instant::now();
    let template = project::Template::make().expect("the demo makes its project");
    let plan = Plan::measure(&template, seed).expect("one run without a kill");
    println!("crash: a run without a kill takes {:?} and prints {} control lines", plan.lasts, plan.controls);

    let (next, sum, faults) = (AtomicU64::new(0), Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let round = next.fetch_add(1, Ordering::Relaxed);
            // One fault is enough to look into; the other sessions need not be waited for.
            if round >= rounds || !faults.lock().unwrap().is_empty() {
                return;
            }
            match plan.run(&template, round) {
                Ok(tally) => report(&mut sum.lock().unwrap(), &tally, rounds, started),
                Err(fault) => faults.lock().unwrap().push(format!("round {round}: {fault:#}")),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(work);
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "CRASH_SEED={seed}\n{}", faults.join("\n"));
    let sum = sum.into_inner().unwrap();
    assert_eq!(sum.rounds, rounds);
    assert!(sum.kills >= rounds, "each round has a kill at the least");
    println!(
        "crash: {} sessions, {} kills ({} in a tool call), {} records and {} requests checked, {:.0?}",
        sum.rounds,
        sum.kills,
        sum.in_a_call,
        sum.records,
        sum.requests,
        started.elapsed()
    );
}

fn report(sum: &mut Tally, tally: &Tally, rounds: u64, started: Instant) {
    sum.add(tally);
    if sum.rounds.is_multiple_of(20) {
        println!("crash: {} of {rounds} rounds, {} kills, {:.0?}", sum.rounds, sum.kills, started.elapsed());
    }
}

fn number(name: &str) -> anyhow::Result<Option<u64>> {
    let Ok(text) = std::env::var(name) else { return Ok(None) };
    text.parse().map(Some).with_context(|| format!("{name} is {text:?} and should be a number"))
}

fn clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs()
}
