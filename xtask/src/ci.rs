//! `cargo xtask ci`: every check in order of cost, ending at the first one that fails.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::{boundaries, dependencies, examples, features, output, packaging, slim, steps, suites, tidy};

/// Lints over everything, with the features that gate suites, benches and a transport. One run for all of it: a run for
/// each package would check all crates below it again, with other features.
const CLIPPY: &[&str] = &[
    "clippy",
    "--workspace",
    "--all-targets",
    "--features",
    "throughline-cli/integration,throughline-cli/anthropic-sdk,throughline-benches/bench",
    "--",
    "-D",
    "warnings",
];

/// The examples in the docs, which the test programs do not have.
const DOCTESTS: &[&str] = &["test", "--workspace", "--doc", "--quiet"];

/// Runs all steps, with these suites.
pub(crate) fn run(root: &Path, choice: suites::Choice<'_>) -> Result<()> {
    let start = Instant::now();
    steps::run("fmt", &mut steps::cargo(root, &["fmt", "--all", "--check"]))?;
    steps::timed("boundaries", || boundaries::run(root))?;
    steps::timed("dependencies", || dependencies::run(root))?;
    steps::timed("tidy", || tidy::run(root))?;
    steps::timed("features", || features::run(root, true))?;
    steps::run("clippy", &mut steps::cargo(root, CLIPPY))?;
    steps::timed("slim", || slim::run(root))?;
    steps::timed("package", || packaging::run(root, suites::in_ci()))?;
    steps::timed("test", || {
        if !suites::test(root, choice) {
            bail!("a suite failed; the lines above name it");
        }
        Ok(())
    })?;
    steps::run("doctests", &mut steps::cargo(root, DOCTESTS))?;
    steps::timed("examples", || examples::run(root))?;
    let mut doc = steps::cargo(root, &["doc", "--workspace", "--no-deps"]);
    steps::run("doc", doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    output::line(format_args!("ci: every step passed, {:.1} s", start.elapsed().as_secs_f64()));
    Ok(())
}
