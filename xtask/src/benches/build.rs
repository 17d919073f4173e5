//! What cold builds cost: CPU time, the size of the binary, and the crates in it; and which crates take the time.

mod crates;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use self::crates::CrateTimes;
use crate::{output, steps, tree};

/// Built into this folder below cargo's own, which is removed afterwards.
const FOLDER: &str = "bench-build";

/// A build that a user waits for.
#[derive(Debug)]
struct UserBuild {
    name: &'static str,
    args: &'static [&'static str],
    package: &'static str,
    /// The folder of its profile, and the binary there.
    binary: (&'static str, &'static str),
    /// The figures, with what they should be at most.
    aims: [(&'static str, f64); 3],
}

const BUILDS: [UserBuild; 2] = [
    UserBuild {
        name: "cargo demo",
        args: &["build", "--profile", "quick", "--package", "throughline-demo"],
        package: "throughline-demo",
        binary: ("quick", "throughline-demo"),
        aims: [("CPU seconds", 240.0), ("MB", 100.0), ("crates", 240.0)],
    },
    UserBuild {
        name: "the release binary",
        args: &["build", "--release", "--package", "throughline-cli", "--bin", "throughline"],
        package: "throughline-cli",
        binary: ("release", "throughline"),
        aims: [("CPU seconds", 500.0), ("MB", 45.0), ("crates", 280.0)],
    },
];

/// Makes each build from nothing. Prints the three figures, each next to its aim, and the crates that take the most time.
pub(super) fn run(root: &Path) -> Result<()> {
    let folder = tree::target(root)?.join(FOLDER);
    for build in &BUILDS {
        remove(&folder)?;
        let measured = measured(root, build, &folder);
        remove(&folder)?;
        let (figures, times) = measured?;
        output::line(format!("{}:", build.name));
        for ((unit, aim), figure) in build.aims.iter().zip(figures) {
            output::line(row(unit, figure, *aim));
        }
        output::line("");
        output::line(times.table(figures[0]));
    }
    Ok(())
}

fn measured(root: &Path, build: &UserBuild, folder: &Path) -> Result<([f64; 3], CrateTimes)> {
    let mut cargo = steps::cargo(root, build.args);
    let times = folder.join("times");
    crates::time_each(&mut cargo, &times)?;
    let seconds = seconds(&cargo, folder)?;
    let (profile, binary) = build.binary;
    let binary = folder.join(profile).join(format!("{binary}{}", std::env::consts::EXE_SUFFIX));
    let size = fs::metadata(&binary).with_context(|| format!("read `{}`", binary.display()))?.len();
    // Exact for any size that a binary can have.
    let figures = [seconds, size as f64 / 1e6, crates_of(root, build.package)? as f64];
    Ok((figures, CrateTimes::read(&times)?))
}

/// CPU seconds of a build into this folder and everything that it started. The shell's `times` gives them on every Unix.
pub(super) fn seconds(cargo: &Command, folder: &Path) -> Result<f64> {
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\" && times", "sh"]).arg(cargo.get_program()).args(cargo.get_args());
    shell.current_dir(cargo.get_current_dir().unwrap_or(Path::new(".")));
    for (name, value) in cargo.get_envs() {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    let timed = shell.env("CARGO_TARGET_DIR", folder).stderr(Stdio::inherit()).output();
    let timed = timed.context("start `sh`, which measures the time")?;
    if !timed.status.success() {
        bail!("the build failed, see above");
    }
    let times = String::from_utf8_lossy(&timed.stdout);
    children_seconds(&times).with_context(|| format!("`times` printed `{}`", times.trim()))
}

/// The second line of `times`: user and system time of what the shell waited for, as `1m2.34s`.
fn children_seconds(times: &str) -> Option<f64> {
    let mut sum = 0.0;
    for word in times.lines().nth(1)?.split_whitespace() {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        sum += minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?;
    }
    Some(sum)
}

/// How many crates a package is made of, with its own and without those of builds and tests.
fn crates_of(root: &Path, package: &str) -> Result<usize> {
    let tree = ["tree", "-p", package, "-e", "normal", "--prefix", "none"];
    let listed = steps::cargo(root, &tree).output().context("start `cargo tree`")?;
    if !listed.status.success() {
        bail!("`cargo tree` failed: {}", String::from_utf8_lossy(&listed.stderr).trim());
    }
    Ok(distinct(&String::from_utf8_lossy(&listed.stdout)))
}

/// Counts name and version of each line once.
fn distinct(tree: &str) -> usize {
    let names = tree.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>());
    names.filter(|name| !name.is_empty()).collect::<BTreeSet<_>>().len()
}

fn row(unit: &str, figure: f64, aim: f64) -> String {
    let verdict = if figure <= aim { "reached" } else { "missed" };
    format!("{figure:>8.1} {unit:<12} aim {aim:.0}: {verdict}")
}

pub(super) fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("remove `{}`", folder.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
