//! What one turn of `throughline run` costs as a whole process, compared with one of `codex exec`.
//!
//! Both are asked the same prompt under the same model name, headless, by the same server on this machine: the test
//! server, which answers at once. First comes a turn with one text, then one with a shell command and a text. CPU
//! time, peak memory and wall time are medians of several runs that take turns; `measure` says how they are taken
//! and what that misses, `peers` how each program is called. Run with `cargo xtask bench run`, which builds the one
//! and installs the other; it fails when a turn costs more than a third of the peer's CPU time or memory.

mod measure;
mod peers;
mod scenario;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};

use measure::Figures;
use peers::Peer;
use scenario::{SCENARIOS, Scenario};

/// Runs of each program that count, when nothing else is asked for.
const RUNS: usize = 10;
/// Runs before those: first starts make databases and fill the page cache.
const WARM_UPS: usize = 2;

fn main() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let mut runs = RUNS;
    match arguments.next().as_deref() {
        None => {}
        Some(measure::ARGUMENT) => return measure::child(arguments),
        Some("--runs") => {
            let number = arguments.next().context("--runs needs a number")?;
            runs = number.parse().with_context(|| format!("--runs {number}: must be a number"))?;
            ensure!(runs > 0, "--runs must be at least 1");
        }
        Some(other) => bail!("{other} is not known; there is --runs N"),
    }
    let work = tempfile::Builder::new().prefix("bench-run-").tempdir_in(own_folder()?)?;
    let ours = peers::throughline(&program("THROUGHLINE_BIN", "the binary")?)?;
    let theirs =
        peers::codex(&program("THROUGHLINE_CODEX", "the folder `node_modules/.bin` with the peer")?)?;
    println!("{}\n  against {}", ours.about, theirs.about);
    println!("  {runs} runs each after {WARM_UPS} to warm up, taking turns; medians");

    let mut good = true;
    for scenario in SCENARIOS {
        let folder = work.path().join(scenario.name);
        let [ours, theirs] = run(scenario, &folder, [&ours, &theirs], runs)?;
        good &= table::print(scenario, &ours, &theirs)?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The two programs take turns, and so does who is first.
fn run(
    scenario: &Scenario,
    folder: &Path,
    peers: [&Peer; 2],
    runs: usize,
) -> anyhow::Result<[Vec<Figures>; 2]> {
    let [ours, theirs] = peers.map(|peer| scenario.prepare(peer, &folder.join(peer.name)));
    let prepared = [ours?, theirs?];
    let mut figures = [Vec::new(), Vec::new()];
    for round in 0..WARM_UPS + runs {
        let mut pairs: Vec<_> = prepared.iter().zip(&mut figures).collect();
        if round % 2 == 1 {
            pairs.reverse();
        }
        for (prepared, figures) in pairs {
            let measured = prepared.turn()?;
            if round >= WARM_UPS {
                figures.push(measured);
            }
        }
    }
    Ok(figures)
}

/// The folder of this program: below `target`, and so not in the folder for temporary files, where the peer works
/// otherwise than at home.
fn own_folder() -> anyhow::Result<PathBuf> {
    let me = std::env::current_exe().context("this program does not know its own file")?;
    me.parent().map(Path::to_path_buf).context("this program's file has no folder")
}

fn program(variable: &str, what: &str) -> anyhow::Result<PathBuf> {
    let path = std::env::var_os(variable)
        .map(PathBuf::from)
        .with_context(|| format!("{variable} does not name {what}; `cargo xtask bench run` sees to it"))?;
    ensure!(path.exists(), "{variable} names {}, which does not exist", path.display());
    Ok(path)
}
