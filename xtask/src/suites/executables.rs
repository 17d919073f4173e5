//! The test programs of the workspace, built at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::suite::INTEGRATION;
use super::table;
use crate::steps;

/// The test programs of the workspace.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Programs {
    /// Those of the suites, by test target.
    pub(super) suites: BTreeMap<String, PathBuf>,
    /// Those of the crates.
    pub(super) units: Vec<UnitProgram>,
}

/// The tests of a library, of a program, or of a test target.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnitProgram {
    /// Package and target, as cargo names them.
    pub(super) name: String,
    /// Where the program is.
    pub(super) program: PathBuf,
    /// The folder of the package, in which it runs.
    pub(super) package: PathBuf,
}

/// Builds the test targets of the suites with these names, or everything, and returns where each is.
pub(super) fn build(root: &Path, suites: &[&'static str], everything: bool) -> Result<Programs> {
    let mut built = Programs::default();
    if suites.is_empty() && !everything {
        return Ok(built);
    }
    steps::timed("build the tests", || {
        let mut command = steps::cargo(root, &["test", "--no-run", "--workspace", "--features", INTEGRATION]);
        command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
        // Without examples, which have a step of their own.
        let only =
            if everything { Vec::new() } else { suites.iter().flat_map(|name| ["--test", name]).collect() };
        command.args(if everything { vec!["--tests"] } else { only });
        let output = command.output().context("start `cargo test --no-run`")?;
        if !output.status.success() {
            bail!("the tests do not build, see above");
        }
        built = programs(&String::from_utf8_lossy(&output.stdout));
        match suites.iter().find(|name| !built.suites.contains_key(**name)) {
            Some(name) => bail!("cargo names no program of the test target `{name}`"),
            None => Ok(()),
        }
    })?;
    Ok(built)
}

/// The test programs in cargo's messages.
fn programs(messages: &str) -> Programs {
    let mut found = Programs::default();
    for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let Some((target, unit)) = unit(&message) else { continue };
        if unit.package.ends_with("crates/cli") && table::test_targets().any(|name| name == target) {
            found.suites.insert(target, unit.program);
        } else {
            found.units.push(unit);
        }
    }
    found
}

/// The test target that a message names, and its program.
fn unit(message: &Value) -> Option<(String, UnitProgram)> {
    let word = |pointer: &str| message.pointer(pointer).and_then(Value::as_str);
    let is_test = message.pointer("/profile/test").and_then(Value::as_bool)?;
    let (program, target) = (word("/executable")?, word("/target/name")?);
    let package = Path::new(word("/manifest_path")?).parent()?;
    let name = format!("{} {} {target}", package.file_name()?.to_string_lossy(), word("/target/kind/0")?);
    let unit = UnitProgram { name, program: program.into(), package: package.to_owned() };
    is_test.then(|| (target.to_owned(), unit))
}

#[cfg(test)]
mod tests;
