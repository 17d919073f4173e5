//! What `throughline watch` adds to a program in a pseudo-terminal: CPU time at 1 MB/s of output, and memory.
//!
//! The program draws a screen of 36 rows again and again, as agents do while they stream. Only the process of `watch` is
//! measured: all its threads by `schedstat`, its peak by `VmHWM`. Run with `cargo xtask bench watch`; it fails when `watch`
//! takes more than 2 % of one core or 40 MiB. It needs Linux.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

/// Tells the bench that it is the program that is watched.
const ARGUMENT: &str = "--draw";
/// How long the program draws.
const DRAWS: Duration = Duration::from_secs(25);
/// How long the start is left out.
const STARTS: Duration = Duration::from_secs(3);
/// How long it is measured.
const MEASURED: Duration = Duration::from_secs(20);
/// Bytes of a second.
const RATE: usize = 1_000_000;
/// Writes of a second.
const WRITES: usize = 200;
/// Maximum CPU time, in per cent of one core.
const MOST_CPU: f64 = 2.0;
/// Maximum resident KiB.
const MOST_KIB: u64 = 40 * 1024;

fn main() -> anyhow::Result<ExitCode> {
    match std::env::args().nth(1).as_deref() {
        None => measure(),
        Some(ARGUMENT) => draw(),
        Some(other) => bail!("{other} is not known; there are no options"),
    }
}

/// Draws rows with colours and words at the rate.
fn draw() -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let (begun, mut written, mut row) = (Instant::now(), 0, 0_usize);
    while begun.elapsed() < DRAWS {
        let mut piece = String::new();
        while piece.len() < RATE / WRITES {
            let (line, colour) = (row % 36 + 1, row % 200);
            piece.push_str(&format!(
                "\x1b[{line};1H\x1b[38;5;{colour}m{row} some words of an agent at work\x1b[0m\x1b[K"
            ));
            row += 1;
        }
        out.write_all(piece.as_bytes()).and_then(|()| out.flush())?;
        written += piece.len();
        let due = Duration::from_secs_f64(written as f64 / RATE as f64);
        sleep(due.saturating_sub(begun.elapsed()));
    }
    Ok(ExitCode::SUCCESS)
}

fn measure() -> anyhow::Result<ExitCode> {
    let binary = std::env::var_os("THROUGHLINE_BIN").map(PathBuf::from);
    let binary = binary.context("THROUGHLINE_BIN names the binary; `cargo xtask bench watch` sets it")?;
    let folder = tempfile::Builder::new().prefix("bench-watch-").tempdir()?;
    let me = std::env::current_exe().context("this program does not know its own file")?;
    let mut command = Command::new(binary);
    command
        .args(["watch", "--pty", "--data-dir"])
        .arg(folder.path().join("data"))
        .arg("--")
        .arg(me)
        .arg(ARGUMENT);
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
    let mut watch = command.spawn().context("could not start the binary")?;
    let measured = while_running(&watch);
    let status = watch.wait()?;
    let (cpu, kib) = measured?;
    ensure!(status.success(), "the binary ended with {status}");
    println!(
        "watch at 1 MB/s of output: {cpu:.2} % of one core (at most {MOST_CPU} %), peak {:.1} MiB (at most {} MiB)",
        kib as f64 / 1024.0,
        MOST_KIB / 1024
    );
    Ok(if cpu <= MOST_CPU && kib <= MOST_KIB { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Per cent of one core, and the peak of resident KiB.
fn while_running(watch: &Child) -> anyhow::Result<(f64, u64)> {
    let pid = watch.id();
    sleep(STARTS);
    let (before, begun) = (nanoseconds(pid)?, Instant::now());
    sleep(MEASURED);
    let used = nanoseconds(pid)?.saturating_sub(before);
    let cpu = used as f64 * 100.0 / begun.elapsed().as_nanos() as f64;
    let status = fs::read_to_string(format!("/proc/{pid}/status")).context("the binary has ended")?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.trim().parse().ok());
    Ok((cpu, peak.context("the system does not tell the peak of memory")?))
}

/// CPU time of all threads of a process.
fn nanoseconds(pid: u32) -> anyhow::Result<u64> {
    let mut all = 0;
    for task in fs::read_dir(format!("/proc/{pid}/task")).context("the binary has ended")? {
        // A thread may end meanwhile.
        let Ok(stat) = fs::read_to_string(task?.path().join("schedstat")) else { continue };
        let own = stat.split_whitespace().next().and_then(|own| own.parse::<u64>().ok());
        all += own.context("the system does not tell CPU times of threads")?;
    }
    Ok(all)
}
