//! The unit, contract and law tests of the crates: their programs one after the other.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::Result;

use super::executables::UnitProgram;
use super::{SEED, SEED_VARIABLE};
use crate::tally::Outcome;
use crate::{output, steps};

/// What they are called among the suites.
pub(super) const NAME: &str = "workspace";

/// How long one program may take; several times what the slowest takes on a small machine.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// The programs, and the file that their output is written to.
#[derive(Debug)]
pub(super) struct Units {
    programs: Vec<UnitProgram>,
    output: PathBuf,
}

impl Units {
    pub(super) fn new(programs: Vec<UnitProgram>, folder: &Path) -> Self {
        Self { programs, output: folder.join(NAME) }
    }

    /// Runs all of them, also behind one that fails.
    pub(super) fn run(&self) -> Outcome {
        let mut failed = Vec::new();
        let ran = steps::timed(NAME, || {
            let log = File::create(&self.output)?;
            for unit in &self.programs {
                if let Err(error) = run(unit, &log) {
                    failed.push(format!("{}: {error:#}", unit.name));
                }
            }
            Ok(())
        });
        match ran {
            Ok(()) if failed.is_empty() => Outcome::Passed,
            Ok(()) => Outcome::Failed(failed.join("; ")),
            Err(error) => Outcome::Failed(format!("{error:#}")),
        }
    }

    /// Prints their output.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn print_output(&self) -> io::Result<()> {
        output::line(format_args!("-- {NAME}: the tests of {} programs", self.programs.len()));
        io::copy(&mut File::open(&self.output)?, &mut io::stdout()).map(|_| ())
    }
}

/// Runs one program. The fixed seed is used unless the caller gave one.
fn run(unit: &UnitProgram, mut log: &File) -> Result<()> {
    writeln!(log, "\n{}", unit.name)?;
    let mut command = steps::program(&unit.program, &unit.package);
    command.arg("--quiet").env("CARGO_MANIFEST_DIR", &unit.package);
    if std::env::var_os(SEED_VARIABLE).is_none() {
        command.env(SEED_VARIABLE, SEED);
    }
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    steps::within(&mut command, LIMIT)
}
