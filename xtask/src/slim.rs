//! What must build without the rest: each client alone, and the wire forms without any.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::steps;

/// Features that must build without the others, at the lowest crate that they change; the empty one is no feature. Of the providers
/// it is the table of models, of the library its default. Those of one line have nothing in common. All together are in the lints of
/// the workspace.
const ALONE: &[(&str, &[&str])] = &[
    ("throughline-providers", &["", "anthropic", "gemini", "http", "ollama", "openai", "tokens"]),
    ("throughline-connect", &["gemini", "ollama", "openai", "tokens"]),
    ("throughline-config", &["objects"]),
    ("throughline-store", &["postgres"]),
    ("throughline-tools", &["", "targets"]),
    ("throughline-engine", &[""]),
    ("throughline", &["", "anthropic,mcp", "fetch,sqlite", "sandbox"]),
];

/// Maximum crates that packages which are taken together bring, without themselves.
const TREES: &[(&[&str], usize)] =
    &[(&["throughline-engine", "throughline-wire"], 70), (&["throughline"], 160)];

/// The packages that a program with a loop and a client of its own takes, and what each must not bring besides. The engine's tools
/// wait with the timers and channels of tokio; its net is `mio`.
const SLIM: &[(&str, &[&str])] = &[("throughline-wire", &["tokio"]), ("throughline-engine", &["mio"])];

/// What none of them may bring: a client, a database, a terminal, a tokenizer.
const HEAVY: &[&str] = &[
    "crossterm",
    "hyper",
    "libsqlite3-sys",
    "reqwest",
    "rusqlite",
    "rustls",
    "sea-orm",
    "sqlx",
    "tiktoken-rs",
];

/// Checks all of it.
pub(crate) fn run(root: &Path) -> Result<()> {
    for (package, besides) in SLIM {
        let found = heavy(&tree(root, &[package])?, besides);
        if !found.is_empty() {
            bail!("{package} brings {}; `cargo tree --invert` shows by which way", found.join(", "));
        }
    }
    for (packages, most) in TREES {
        let crates = count(&tree(root, packages)?, packages);
        if crates > *most {
            bail!("{} bring {crates} crates, at most {most} are allowed", packages.join(" and "));
        }
    }
    for (package, features) in ALONE {
        for feature in *features {
            let mut check = steps::cargo(root, &["check", "--quiet", "--package", package]);
            check.args(["--no-default-features", "--features", feature]);
            let shown = if feature.is_empty() { "no feature" } else { feature };
            steps::run(&format!("{package} with {shown}"), &mut check)?;
        }
    }
    Ok(())
}

/// The crates that packages bring with their default features, a line each, in part more than once.
fn tree(root: &Path, packages: &[&str]) -> Result<String> {
    let mut lines = String::new();
    for package in packages {
        let tree = ["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--format", "{p}"];
        let listed = steps::cargo(root, &tree).output().context("start `cargo tree`")?;
        if !listed.status.success() {
            bail!("`cargo tree --package {package}`: {}", String::from_utf8_lossy(&listed.stderr).trim());
        }
        lines.push_str(&String::from_utf8_lossy(&listed.stdout));
    }
    Ok(lines)
}

/// How many different crates the lines `name version …` name, without these packages.
pub(crate) fn count(tree: &str, packages: &[&str]) -> usize {
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let is_own = |line: &str| line.split(' ').next().is_some_and(|name| packages.contains(&name));
    let names: BTreeSet<String> =
        tree.lines().filter(|line| !line.is_empty() && !is_own(line)).map(name).collect();
    names.len()
}

/// The heavy packages, and those of `besides`, among the lines `name version` of a tree.
fn heavy(tree: &str, besides: &[&'static str]) -> Vec<&'static str> {
    let is_in = |name: &&&str| tree.lines().any(|line| line.split(' ').next() == Some(**name));
    HEAVY.iter().chain(besides).filter(is_in).copied().collect()
}

#[cfg(test)]
mod tests;
