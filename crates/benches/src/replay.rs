//! Replays every recorded session of `THROUGHLINE_TRACES` at 64k in one run of the release binary, and prints
//! wall time and peak memory.
//!
//! Run with `cargo xtask bench replay`; it fails over 30 seconds or 200 MiB.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

const MOST_SECONDS: f64 = 30.0;
const MOST_MIB: f64 = 200.0;

fn main() -> anyhow::Result<()> {
    let Some(folder) = std::env::var_os("THROUGHLINE_TRACES").map(PathBuf::from).filter(|path| path.is_dir())
    else {
        println!("skipped: replay: THROUGHLINE_TRACES names no folder of recorded sessions");
        return Ok(());
    };
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let program = build()?;
    let data = tempfile::tempdir()?;
    let start = Instant::now();
    let mut child = Command::new(&program)
        .arg("--data-dir")
        .arg(data.path())
        .args(["replay", "--json", "--window", "64k"])
        .args(&files)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not run {}", program.display()))?;
    let output = child.stdout.take().context("no output")?;
    let reader = std::thread::spawn(move || std::io::read_to_string(output));
    let mut peak = 0;
    let status = loop {
        // The kernel keeps the peak; the last look before the end has it.
        peak = peak.max(peak_kib(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let wall = start.elapsed().as_secs_f64();
    let text = reader.join().map_err(|_| anyhow::anyhow!("the reader broke down"))??;
    ensure!(status.success(), "the replay failed: {status}");
    let sessions: Vec<serde_json::Value> =
        serde_json::from_str(&text).context("the replay printed no JSON array")?;
    let requests: u64 = sessions.iter().filter_map(|session| session.get("requests")?.as_u64()).sum();
    let mib = peak as f64 / 1024.0;
    println!("{} sessions, {requests} requests at 64k in one run:", sessions.len());
    println!("  wall        {wall:>8.2} s    (at most {MOST_SECONDS})");
    println!("  peak memory {mib:>8.1} MiB  (at most {MOST_MIB})");
    ensure!(wall <= MOST_SECONDS && mib <= MOST_MIB, "over the limit");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "gz") {
            files.push(path);
        }
    }
    Ok(())
}

/// Builds the binary and finds it next to this program.
fn build() -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built =
        Command::new(cargo).args(["build", "--quiet", "--release", "-p", "throughline-cli"]).status()?;
    ensure!(built.success(), "the release binary could not be built");
    let own = std::env::current_exe()?;
    let release = own.parent().context("this program lies in no folder")?;
    Ok(release.join("throughline"))
}

fn peak_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
