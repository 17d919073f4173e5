//! `cargo xtask mutants CRATE`: changes the crate's code in small ways, one at a time, and counts which changes its own tests
//! notice. Uses cargo-mutants, which is installed below the target folder when it is missing. Runs for minutes to hours,
//! so no other task calls it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{output, steps, tree};

/// The version that is installed.
const VERSION: &str = "27.1.0";

/// Per cent of the viable mutants that the tests of a crate notice at least, without those that have a reason.
const LEAST: usize = 95;

/// Mutants that no test needs to notice: `place: change: reason` a line.
const ACCEPTED: &str = include_str!("mutants/accepted.txt");

/// Runs the mutants of one crate, or one part of them.
pub(crate) fn run(root: &Path, name: &str, shard: Option<&str>) -> Result<()> {
    let tools = tree::target(root)?.join("tools");
    let program = installed(root, &tools)?;
    let report = tree::target(root)?.join("mutants").join(name);
    fs::create_dir_all(&report).with_context(|| format!("create `{}`", report.display()))?;
    let package = format!("throughline-{name}");
    let mut command = Command::new(program);
    command.current_dir(root).args(["mutants", "--package", &package, "--colors", "never", "--output"]);
    // Each part has mutants of all files, so that one part represents the crate.
    command.arg(&report).args(shard.map(|shard| format!("--shard={shard}"))).arg("--sharding=round-robin");
    // Mutants that tests miss give an exit code of their own: the counts below are the judge.
    let status = command.status().context("start cargo-mutants")?;
    let found = Found::read(&report.join("mutants.out"), ACCEPTED)
        .with_context(|| format!("cargo-mutants ended with {status} and left no report"))?;
    output::line(found.line(name));
    for missed in &found.missed {
        output::line(format_args!("  missed: {missed}"));
    }
    if !found.is_enough() {
        bail!("the tests of `{name}` notice fewer than {LEAST} % of its viable mutants");
    }
    Ok(())
}

/// The path of cargo-mutants, installed if need be.
fn installed(root: &Path, tools: &Path) -> Result<PathBuf> {
    let program = tools.join("bin/cargo-mutants");
    let mut probe = Command::new(&program);
    probe.args(["mutants", "--version"]).stdout(Stdio::piped()).stderr(Stdio::null());
    if probe.output().is_ok_and(|shown| String::from_utf8_lossy(&shown.stdout).contains(VERSION)) {
        return Ok(program);
    }
    let mut install =
        steps::cargo(root, &["install", "cargo-mutants", "--locked", "--version", VERSION, "--root"]);
    steps::run("install cargo-mutants", install.arg(tools))?;
    Ok(program)
}

/// What became of the mutants.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    caught: usize,
    accepted: usize,
    missed: Vec<String>,
}

impl Found {
    /// Reads the lists that cargo-mutants leaves. A mutant that makes a test hang is caught.
    fn read(folder: &Path, accepted: &str) -> Result<Self> {
        let list = |name: &str| -> Result<String> {
            let path = folder.join(name);
            fs::read_to_string(&path).with_context(|| format!("read `{}`", path.display()))
        };
        let caught = list("caught.txt")?.lines().count() + list("timeout.txt")?.lines().count();
        Ok(Self { caught, ..Self::judged(&list("missed.txt")?, accepted) })
    }

    /// Splits the missed mutants into those with a reason and the others.
    fn judged(missed: &str, accepted: &str) -> Self {
        let reasons: Vec<&str> =
            accepted.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
        let has_reason =
            |mutant: &&str| reasons.iter().any(|line| line.starts_with(&format!("{}: ", place(mutant))));
        let (accepted, missed): (Vec<&str>, Vec<&str>) = missed.lines().partition(has_reason);
        Self { accepted: accepted.len(), missed: missed.into_iter().map(str::to_owned).collect(), caught: 0 }
    }

    fn viable(&self) -> usize {
        self.caught + self.missed.len()
    }

    fn is_enough(&self) -> bool {
        self.caught * 100 >= self.viable() * LEAST
    }

    fn line(&self, name: &str) -> String {
        let Self { caught, accepted, .. } = self;
        format!("{name}: {caught} of {} viable mutants caught, {accepted} more have a reason", self.viable())
    }
}

/// A mutant without its line and column, which change with each edit of the file.
fn place(mutant: &str) -> String {
    let mut parts = mutant.splitn(4, ':');
    let (file, _, _, what) = (parts.next(), parts.next(), parts.next(), parts.next());
    format!("{}:{}", file.unwrap_or_default(), what.unwrap_or_default())
}

#[cfg(test)]
mod tests;
