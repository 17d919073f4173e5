//! The CPU time of each crate of a build, by a wrapper around the compiler.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::children_seconds;

/// Runs the compiler, and writes what `times` says into a file that is named by the crate.
const WRAPPER: &str = include_str!("rustc_times.sh");

/// The crates of this workspace begin with it.
const OWN: &str = "throughline";

/// Crates that the table names.
const NAMED: usize = 15;

/// CPU seconds by the name of the crate. The versions of a crate, and its build script, count together with others of the name.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CrateTimes(BTreeMap<String, f64>);

/// Makes a build write the times of its crates into a folder.
pub(super) fn time_each(cargo: &mut Command, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("create `{}`", folder.display()))?;
    let script = folder.join("rustc_times.sh");
    fs::write(&script, WRAPPER).with_context(|| format!("write `{}`", script.display()))?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).context("make the wrapper executable")?;
    cargo.env("RUSTC_WRAPPER", script);
    Ok(())
}

impl CrateTimes {
    /// Reads the times that a build has written: a file for each compilation, `CRATE.PROCESS`.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut times = Self::default();
        for entry in fs::read_dir(folder).with_context(|| format!("read `{}`", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some((name, process)) = name.rsplit_once('.') else { continue };
            if process.parse::<u32>().is_ok() {
                let text = fs::read_to_string(&path).with_context(|| format!("read `{}`", path.display()))?;
                times.add(name, children_seconds(&text).unwrap_or_default());
            }
        }
        Ok(times)
    }

    fn add(&mut self, name: &str, seconds: f64) {
        *self.0.entry(name.replace('_', "-")).or_default() += seconds;
    }

    /// The crates that take the most time, the sums of the others, and what of the whole was spent outside of the compiler.
    pub(super) fn table(&self, whole: f64) -> String {
        let mut rows: Vec<(&str, f64)> =
            self.0.iter().map(|(name, seconds)| (name.as_str(), *seconds)).collect();
        rows.sort_by(|one, other| other.1.total_cmp(&one.1));
        let sum = |own: bool| -> (usize, f64) {
            let of: Vec<f64> = rows
                .iter()
                .skip(NAMED)
                .filter(|(name, _)| name.starts_with(OWN) == own)
                .map(|row| row.1)
                .collect();
            (of.len(), of.iter().sum())
        };
        let ((own, own_seconds), (others, other_seconds)) = (sum(true), sum(false));
        let compiled: f64 = rows.iter().map(|row| row.1).sum();
        let mut lines = vec!["| crate | CPU seconds |".to_owned(), "|---|---|".to_owned()];
        lines.extend(rows.iter().take(NAMED).map(|(name, seconds)| format!("| {name} | {seconds:.1} |")));
        lines.push(format!("| {own} other crates of the workspace | {own_seconds:.1} |"));
        lines.push(format!("| {others} other crates | {other_seconds:.1} |"));
        lines.push(format!("| build scripts, cargo | {:.1} |", (whole - compiled).max(0.0)));
        lines.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests;
