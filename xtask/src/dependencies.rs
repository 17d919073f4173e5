//! What the dependencies may be, by `deny.toml`: their licences, where they come from, and known vulnerabilities.
//!
//! `cargo deny` checks all of that where it is installed. Otherwise this task checks licences and sources itself, and says that
//! vulnerabilities are not checked: there is no prebuilt `cargo deny` of today in a registry, and to build one takes minutes.

mod licence;

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{output, steps};
use licence::is_allowed;

/// The file with what is allowed.
const FILE: &str = "deny.toml";

/// Where packages may come from; those of the workspace come from nowhere.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks all packages that some feature uses.
pub(crate) fn run(root: &Path) -> Result<()> {
    let mut probe = Command::new("cargo-deny");
    let found = probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_ok_and(|status| status.success()) {
        return steps::run("deny", &mut steps::cargo(root, &["deny", "--all-features", "check"]));
    }
    output::line(format_args!(
        "dependencies: cargo-deny is not installed, so known vulnerabilities are NOT checked; to install it: \
         cargo install cargo-deny --locked"
    ));
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("read {FILE}"))?;
    let allowed = allowed(&text);
    if allowed.is_empty() {
        bail!("{FILE} has no list `allow` in [licenses]");
    }
    let asked = steps::cargo(root, &["metadata", "--format-version=1", "--locked", "--all-features"])
        .stderr(Stdio::inherit())
        .output()
        .context("start cargo metadata")?;
    let metadata: Value = serde_json::from_slice(&asked.stdout).context("read what cargo metadata says")?;
    let packages = metadata.get("packages").and_then(Value::as_array).context("cargo names no packages")?;
    let faults: Vec<String> = packages.iter().filter_map(|package| fault(package, &text, &allowed)).collect();
    if !faults.is_empty() {
        bail!("{}\nfix: another dependency, or a line in {FILE} with its reason", faults.join("\n"));
    }
    output::line(format_args!(
        "dependencies: licences and sources of {} packages are allowed",
        packages.len()
    ));
    Ok(())
}

/// What is wrong with a package.
fn fault(package: &Value, file: &str, allowed: &[&str]) -> Option<String> {
    let text = |key: &str| package.get(key).and_then(Value::as_str);
    let name = format!("{} {}", text("name")?, text("version")?);
    match text("source") {
        None => return None,
        Some(REGISTRY) => {}
        Some(source) => return Some(format!("{name} comes from {source}, and not from crates.io")),
    }
    match text("license") {
        Some(licence) if is_allowed(licence, allowed) => None,
        Some(licence) => Some(format!("{name} has the licence {licence}")),
        // Its text was read: [[licenses.clarify]].
        None if file.contains(&format!("crate = \"{}\"", text("name")?)) => None,
        None => Some(format!("{name} names no licence")),
    }
}

/// The list `allow` of the licences.
fn allowed(text: &str) -> Vec<&str> {
    let list = text.split_once("[licenses]").and_then(|(_, rest)| rest.split_once("allow = ["));
    let list = list.and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    list.split(',').map(|word| word.trim().trim_matches('"')).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests;
