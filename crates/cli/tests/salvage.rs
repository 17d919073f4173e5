//! Damaged databases: every record that is left is exported byte for byte, every lost one is named, nothing panics.
//!
//! `SALVAGE_TRIALS` sets the number of trials (500 without it), `SALVAGE_SEED` the damage.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may fail the test")]

#[path = "crash/chance.rs"]
#[allow(dead_code, reason = "the crash suite draws times too")]
mod chance;
#[path = "salvage/damage.rs"]
mod damage;
#[path = "salvage/exported.rs"]
mod exported;
#[path = "binary/program.rs"]
mod program;
#[path = "salvage/trial.rs"]
mod trial;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use trial::{Original, Tally, run_trial};

/// Trials side by side.
const SIDE_BY_SIDE: usize = 2;

#[test]
fn no_damage_loses_a_record_without_a_word() {
    let trials = number("SALVAGE_TRIALS").unwrap_or(500);
    let seed = number("SALVAGE_SEED").unwrap_or(20_261_123);
    println!("salvage: {trials} trials, SALVAGE_SEED={seed}");
    let original = Original::make();
    let (next, sum, faults) = (AtomicU64::new(0), Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let trial = next.fetch_add(1, Ordering::Relaxed);
            if trial >= trials {
                return;
            }
            match run_trial(&original, seed, trial) {
                Ok(tally) => sum.lock().unwrap().add(&tally),
                Err(fault) => faults.lock().unwrap().push(format!("trial {trial}: {fault:#}")),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(work);
        }
    });
    let sum = sum.into_inner().unwrap();
    println!("salvage: {sum:?}");
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} of {trials} trials:\n{}", faults.len(), faults.join("\n"));
    // The damage did meet records, and left others.
    assert!(sum.named > trials / 10 && sum.exported > trials * 10, "{sum:?}");
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}
