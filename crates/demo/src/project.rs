//! A small project with a bug, in a new git repository.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

/// Country, standard VAT rate in per mille (European Commission, rates of 2024).
const RATES: [(&str, u64); 12] = [
    ("austria", 200),
    ("denmark", 250),
    ("finland", 255),
    ("france", 200),
    ("germany", 190),
    ("greece", 240),
    ("hungary", 270),
    ("ireland", 230),
    ("italy", 220),
    ("poland", 230),
    ("spain", 210),
    ("sweden", 250),
];

/// Invoices of each country.
const INVOICES: u64 = 110;

/// Writes the project into an empty folder and commits it.
pub(super) fn create(folder: &Path) -> anyhow::Result<()> {
    let mut rates = String::new();
    for (country, rate) in RATES {
        writeln!(rates, "{country},{rate}")?;
        write(folder, &format!("data/{country}.csv"), &invoices(country, rate)?)?;
    }
    write(folder, "data/rates.csv", &rates)?;
    write(folder, "README.md", include_str!("files/readme.md"))?;
    write(folder, "lib/invoice.awk", include_str!("files/invoice.awk"))?;
    write(folder, "tests/run.awk", include_str!("files/run.awk"))?;
    write(folder, "run-tests.sh", include_str!("files/run-tests.sh"))?;
    git(folder, &["init", "--quiet", "--initial-branch=main"])?;
    git(folder, &["config", "user.name", "demo"])?;
    git(folder, &["config", "user.email", "demo@localhost"])?;
    git(folder, &["add", "."])?;
    git(folder, &["commit", "--quiet", "--message", "Invoices of twelve countries"])
}

fn invoices(country: &str, rate: u64) -> anyhow::Result<String> {
    let mut text = String::from("invoice,cents,total\n");
    // A fixed sequence per country: every demo has the same project.
    let mut state =
        country.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    for number in 1..=INVOICES {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let cents = 500 + (state >> 33) % 250_000;
        let total = (cents * (1_000 + rate) + 500) / 1_000;
        let code = country.get(..2).unwrap_or(country).to_uppercase();
        writeln!(text, "{code}-{number:05},{cents},{total}")?;
    }
    Ok(text)
}

fn write(folder: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("could not create {}", parent.display()))?;
    }
    fs::write(&path, text).with_context(|| format!("could not write {}", path.display()))
}

fn git(folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .output()
        .context("could not run git, which the demo's project needs; install git")?;
    ensure!(
        output.status.success(),
        "git {} failed: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(())
}
