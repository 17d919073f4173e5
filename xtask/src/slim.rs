//! What must build without the rest: each client alone, and the wire forms without any.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::steps;

/// Features of the providers that must each build alone; the empty one is the table of models.
const PROVIDER_FEATURES: &[&str] = &["", "anthropic", "gemini", "http", "ollama", "openai", "tokens"];

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

/// Checks both.
pub(crate) fn run(root: &Path) -> Result<()> {
    for (package, besides) in SLIM {
        let tree = ["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--format", "{p}"];
        let listed = steps::cargo(root, &tree).output().context("start `cargo tree`")?;
        if !listed.status.success() {
            bail!("`cargo tree --package {package}`: {}", String::from_utf8_lossy(&listed.stderr).trim());
        }
        let found = heavy(&String::from_utf8_lossy(&listed.stdout), besides);
        if !found.is_empty() {
            bail!("{package} brings {}; `cargo tree --invert` shows by which way", found.join(", "));
        }
    }
    for feature in PROVIDER_FEATURES {
        let mut check = steps::cargo(root, &["check", "--quiet", "--package", "throughline-providers"]);
        check.args(["--no-default-features", "--features", feature]);
        let shown = if feature.is_empty() { "no feature" } else { feature };
        steps::run(&format!("providers with {shown}"), &mut check)?;
    }
    Ok(())
}

/// The heavy packages, and those of `besides`, among the lines `name version` of a tree.
fn heavy(tree: &str, besides: &[&'static str]) -> Vec<&'static str> {
    let is_in = |name: &&&str| tree.lines().any(|line| line.split(' ').next() == Some(**name));
    HEAVY.iter().chain(besides).filter(is_in).copied().collect()
}

#[cfg(test)]
mod tests;
