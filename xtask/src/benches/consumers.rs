//! What a program pays for a part of the workspace: CPU time of its cold release build, and crates in it. The program is a
//! package of its own with the profile that a user has, so the settings of the workspace's profiles do not count.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::build;
use crate::{output, slim, steps, tree};

/// Made in this folder below cargo's own, which is removed afterwards.
const FOLDER: &str = "bench-consumers";

/// The package of the program.
const PROGRAM: &str = "program";

/// A program by what it depends on.
#[derive(Debug)]
struct Consumer {
    name: &'static str,
    /// Folders below `crates`.
    crates: &'static [&'static str],
    features: &'static [&'static str],
    most_crates: Option<usize>,
    most_seconds: Option<f64>,
}

const CONSUMERS: &[Consumer] = &[
    Consumer {
        name: "throughline-engine and throughline-wire",
        crates: &["engine", "wire"],
        features: &[],
        most_crates: Some(70),
        most_seconds: Some(60.0),
    },
    Consumer {
        name: "throughline",
        crates: &["throughline"],
        features: &[],
        most_crates: Some(160),
        most_seconds: None,
    },
    Consumer {
        name: "throughline with `full`",
        crates: &["throughline"],
        features: &["full"],
        most_crates: None,
        most_seconds: None,
    },
];

/// Builds each program from nothing and prints a row of the table for it.
pub(super) fn run(root: &Path) -> Result<()> {
    let folder = tree::target(root)?.join(FOLDER);
    build::remove(&folder)?;
    output::line("| program with | crates | CPU seconds |\n|---|---|---|");
    for consumer in CONSUMERS {
        let measured = measured(root, consumer, &folder);
        build::remove(&folder)?;
        let (crates, seconds) = measured?;
        output::line(row(consumer, crates, seconds));
    }
    Ok(())
}

/// Crates in the program without itself and those that it names, and CPU seconds of its build.
fn measured(root: &Path, consumer: &Consumer, folder: &Path) -> Result<(usize, f64)> {
    let package = folder.join(PROGRAM);
    fs::create_dir_all(package.join("src")).with_context(|| format!("create `{}`", package.display()))?;
    let sources = [("Cargo.toml", manifest(root, consumer)), ("src/main.rs", main(consumer))];
    for (name, text) in sources {
        fs::write(package.join(name), text).with_context(|| format!("write `{name}` of the program"))?;
    }
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).context("copy `Cargo.lock`")?;
    let tree = ["tree", "--edges", "normal", "--prefix", "none"];
    let listed = steps::cargo(&package, &tree).output().context("start `cargo tree`")?;
    if !listed.status.success() {
        bail!("`cargo tree` failed: {}", String::from_utf8_lossy(&listed.stderr).trim());
    }
    let named: Vec<String> = consumer.crates.iter().map(|folder| package_of(folder)).collect();
    let own: Vec<&str> = named.iter().map(String::as_str).chain([PROGRAM]).collect();
    let crates = slim::count(&String::from_utf8_lossy(&listed.stdout), &own);
    let seconds = build::seconds(&steps::cargo(&package, &["build", "--release"]), &folder.join("target"))?;
    Ok((crates, seconds))
}

/// A package outside of the workspace, although it is below its folder.
fn manifest(root: &Path, consumer: &Consumer) -> String {
    let mut text =
        format!("[workspace]\n\n[package]\nname = \"{PROGRAM}\"\nedition = \"2024\"\n\n[dependencies]\n");
    for name in consumer.crates {
        let path = root.join("crates").join(name);
        let features = consumer.features;
        text.push_str(&format!("{} = {{ path = {path:?}, features = {features:?} }}\n", package_of(name)));
    }
    text
}

/// Links what it depends on, and does nothing.
fn main(consumer: &Consumer) -> String {
    let uses =
        consumer.crates.iter().map(|name| format!("use {} as _;\n", package_of(name).replace('-', "_")));
    uses.chain(["\nfn main() {}\n".to_owned()]).collect()
}

/// The package in a folder below `crates`.
fn package_of(folder: &str) -> String {
    if folder == "throughline" { folder.to_owned() } else { format!("throughline-{folder}") }
}

fn row(consumer: &Consumer, crates: usize, seconds: f64) -> String {
    let crates = figure(&crates.to_string(), consumer.most_crates.map(|most| (most, crates <= most)));
    let seconds = figure(&format!("{seconds:.0}"), consumer.most_seconds.map(|most| (most, seconds <= most)));
    format!("| {} | {crates} | {seconds} |", consumer.name)
}

/// A figure, with its aim and whether it is reached if it has one.
fn figure(shown: &str, aim: Option<(impl std::fmt::Display, bool)>) -> String {
    match aim {
        Some((most, true)) => format!("{shown} (aim {most}: reached)"),
        Some((most, false)) => format!("{shown} (aim {most}: missed)"),
        None => shown.to_owned(),
    }
}

#[cfg(test)]
mod tests;
