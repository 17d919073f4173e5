//! Two pieces of work at a time: one worker begins with the suites that wait for terminals, servers and clocks, the other with the
//! tests of the crates and the suites that compute. Each takes from its end of one row until nothing is left.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, thread};

use super::prepared::Prepared;
use super::suite::Lane;
use super::units::{self, Units};
use super::{executables, say};
use crate::tally::{Outcome, Tally};
use crate::{output, tree};

/// What a worker does next.
#[derive(Debug)]
enum Work {
    Suite(Box<Prepared>),
    Units(Units),
}

/// Builds the suites, and the tests of the crates if they are asked for, runs them on two workers, and prints the output of each when
/// it has ended.
pub(super) fn run(root: &Path, suites: Vec<Prepared>, with_units: bool, tally: &mut Tally) {
    let row = match row(root, suites, with_units) {
        Ok(row) => Mutex::new(row),
        Err(reason) => return say(&tally.record("build the tests", Outcome::Failed(reason))),
    };
    let tally = Mutex::new(tally);
    let from_front = || row.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let from_back = || row.lock().unwrap_or_else(PoisonError::into_inner).pop_back();
    thread::scope(|scope| {
        scope.spawn(|| {
            while let Some(work) = from_front() {
                run_one(work, &tally);
            }
        });
        scope.spawn(|| {
            while let Some(work) = from_back() {
                run_one(work, &tally);
            }
        });
    });
}

/// What waits in front, what computes behind.
fn row(root: &Path, mut suites: Vec<Prepared>, with_units: bool) -> Result<VecDeque<Work>, String> {
    let shown = |error: anyhow::Error| format!("{error:#}");
    let tests: Vec<_> = suites.iter().filter_map(Prepared::test_target).collect();
    let programs = executables::build(root, &tests, with_units).map_err(shown)?;
    let logs = tree::target(root).map_err(shown)?.join("suites/output");
    fs::create_dir_all(&logs).map_err(|error| format!("make the folder `{}`: {error}", logs.display()))?;
    equip(&mut suites, &programs.suites, &root.join("crates/cli"), &logs)?;
    suites.sort_by_key(|suite| suite.suite.lane == Lane::Computing);
    let mut row: VecDeque<Work> = suites.into_iter().map(|suite| Work::Suite(Box::new(suite))).collect();
    if with_units {
        row.push_back(Work::Units(Units::new(programs.units, &logs)));
    }
    Ok(row)
}

/// Gives each suite its program and the file for its output.
fn equip(
    suites: &mut [Prepared],
    programs: &BTreeMap<String, PathBuf>,
    package: &Path,
    logs: &Path,
) -> Result<(), String> {
    for suite in suites {
        if let Some(program) = suite.test_target().and_then(|test| programs.get(test)) {
            suite.use_executable(program, package);
        }
        let log = logs.join(suite.suite.name);
        suite.write_to(log).map_err(|error| format!("make a file in `{}`: {error}", logs.display()))?;
    }
    Ok(())
}

fn run_one(mut work: Work, tally: &Mutex<&mut Tally>) {
    let outcome = match &mut work {
        Work::Suite(suite) => suite.run(),
        Work::Units(units) => units.run(),
    };
    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    let (name, printed) = match &work {
        Work::Suite(suite) => {
            suite.announce();
            (suite.suite.name, suite.print_output())
        }
        Work::Units(units) => (units::NAME, units.print_output()),
    };
    if let Err(error) = printed {
        output::line(format_args!("the output of {name} cannot be read: {error}"));
    }
    say(&tally.record(name, outcome));
}
