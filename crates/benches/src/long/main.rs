//! What it costs to open and to read a very long session: 100,000 records, 330 MB, without a snapshot.
//!
//! The session is generated: turns with tool calls and results of realistic sizes, a receipt for each request, and a
//! compaction every few turns. Each command is a process of its own, and the first that has ever opened the session. Run with
//! `cargo xtask bench long`; it fails when a command takes more than 2 s or 150 MB. `--records N` measures another length.

#[path = "../run/measure.rs"]
mod measure;
mod session;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail, ensure};
use throughline_testserver::{Answer, Script, Server};

use measure::{Figures, measure};

/// Records of the session, unless another number is asked for.
const RECORDS: u64 = 100_000;
/// Maximum seconds of a command.
const MOST_SECONDS: f64 = 2.0;
/// Maximum resident bytes of a command.
const MOST_BYTES: u64 = 150_000_000;
/// The session's id.
const SESSION: &str = "long";

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let mut records = RECORDS;
    match arguments.next().as_deref() {
        None => {}
        Some(measure::ARGUMENT) => return measure::child(arguments),
        Some("--records") => {
            let number = arguments.next().context("--records needs a number")?;
            records = number.parse().with_context(|| format!("--records {number}: must be a number"))?;
        }
        Some(other) => bail!("{other} is not known; there is --records N"),
    }
    let binary = std::env::var_os("THROUGHLINE_BIN").map(PathBuf::from);
    let binary = binary.context("THROUGHLINE_BIN names the binary; `cargo xtask bench long` sets it")?;
    let folder = tempfile::Builder::new().prefix("bench-long-").tempdir_in("/var/tmp")?;
    let bytes = session::generate(&folder.path().join("made"), SESSION, records).await?;
    println!("a session of {records} records, {} MB:", bytes / 1_000_000);
    // The test server blocks its thread while it starts.
    let good = tokio::task::spawn_blocking(move || commands(&binary, folder.path(), records)).await??;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Measures every command. Returns false if one costs too much.
fn commands(binary: &Path, folder: &Path, records: u64) -> anyhow::Result<bool> {
    let turn = (records / session::TURN / 2).to_string();
    let server = Server::start_at(Script::new().then(Answer::text("Done.")).repeat_last(), 0)?;
    let url = server.url();
    let model = ["--provider", "anthropic", "--model", session::MODEL, "--base-url", &url];
    let run: Vec<&str> = ["run", "-c"].into_iter().chain(model).chain(["Go."]).collect();
    let measured: [(&str, &[&str]); 8] = [
        ("run -c", &run),
        ("sessions", &["sessions"]),
        ("context", &["context", SESSION]),
        ("messages list", &["messages", "list", SESSION]),
        ("messages show", &["messages", "show", SESSION, &turn]),
        ("handoff", &["handoff", SESSION]),
        ("export", &["export", SESSION]),
        ("export --text", &["export", SESSION, "--text"]),
    ];
    let mut good = true;
    for (name, arguments) in measured {
        let data = folder.join("data");
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        fs::create_dir(&data)?;
        fs::copy(folder.join("made/throughline.db"), data.join("throughline.db"))?;
        good &= report(name, &command(binary, folder, &data, arguments)?);
        if name == "run -c" {
            // Now the session has a snapshot, and its sums are read once.
            good &= report("run -c, again", &command(binary, folder, &data, arguments)?);
            for name in ["context, then", "context, again"] {
                good &= report(name, &command(binary, folder, &data, &["context", SESSION])?);
            }
        }
    }
    Ok(good)
}

fn command(binary: &Path, folder: &Path, data: &Path, arguments: &[&str]) -> anyhow::Result<Figures> {
    let work = folder.join("work");
    fs::create_dir_all(&work)?;
    let mut command = Command::new(binary);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", folder.join("home")).env("ANTHROPIC_API_KEY", "no-key").current_dir(&work);
    command.arg("--data-dir").arg(data).arg("--any-folder").args(arguments);
    let (out, err) = (folder.join("out.txt"), folder.join("err.txt"));
    let figures = measure(&command, &out, &err)?;
    let said = || fs::read_to_string(&err).unwrap_or_default();
    ensure!(figures.code == Some(0), "{arguments:?} ended with {:?}: {}", figures.code, said());
    ensure!(fs::metadata(&out)?.len() > 0, "{arguments:?} printed nothing: {}", said());
    Ok(figures)
}

/// Prints the figures. Returns false if they are above what is allowed.
fn report(name: &str, figures: &Figures) -> bool {
    let good = figures.wall_seconds <= MOST_SECONDS && figures.largest <= MOST_BYTES;
    let mark = if good { "" } else { "  too much" };
    println!(
        "  {name:<16} {:>6.2} s  {:>6.2} s CPU  {:>5} MB{mark}",
        figures.wall_seconds,
        figures.cpu_seconds,
        figures.largest / 1_000_000
    );
    good
}
