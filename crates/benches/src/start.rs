//! What the interactive session costs before anything is asked of it: CPU time up to its first prompt, and while it waits.
//!
//! The binary runs in a pseudo-terminal, in an empty folder with an empty home, as on its first day; the second start finds
//! a database. Run with `cargo xtask bench start`; it fails when a start takes more than 50 ms of CPU time, or when the
//! program does anything in three seconds without input. The beginning of a process that does nothing at all
//! (`--version`) is measured as well. Linux only: CPU times are those of `/proc/PID/schedstat`.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use nix::pty::{Winsize, openpty};

/// How often it is started.
const STARTS: usize = 9;
/// Maximum CPU time up to the first prompt.
const MAX_CPU: Duration = Duration::from_millis(50);
/// How long it is left alone.
const IDLE: Duration = Duration::from_secs(3);
/// What the line below the input says when it waits.
const PROMPT: &str = "? for keys";
/// After this it is not going to come.
const PATIENCE: Duration = Duration::from_secs(20);

fn main() -> anyhow::Result<()> {
    let binary = std::env::var_os("THROUGHLINE_BIN").context("THROUGHLINE_BIN names the binary")?;
    let home = tempfile::tempdir()?;
    let mut times = Vec::new();
    let mut idle = Duration::ZERO;
    for start in 0..STARTS {
        let session = Session::start(Path::new(&binary), home.path())?;
        let cpu = session.cpu()?;
        times.push(cpu);
        if start + 1 == STARTS {
            // What is made ready behind the first prompt is over by then.
            std::thread::sleep(Duration::from_secs(1));
            let before = session.cpu()?;
            std::thread::sleep(IDLE);
            idle = session.cpu()?.saturating_sub(before);
        }
        session.leave()?;
    }
    let first = times.first().copied().context("nothing was measured")?;
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().context("nothing was measured")?;
    let nothing = nothing(Path::new(&binary))?;
    println!("CPU time up to the first prompt:");
    println!("  the first start of all:       {:>6.1} ms", first.as_secs_f64() * 1e3);
    println!(
        "  median of {STARTS} starts:           {:>6.1} ms (at most {})",
        median.as_secs_f64() * 1e3,
        MAX_CPU.as_millis()
    );
    println!(
        "  `throughline --version`:      {:>6.1} ms, {:.1} times less",
        nothing.as_secs_f64() * 1e3,
        median.as_secs_f64() / nothing.as_secs_f64()
    );
    println!("CPU time in {} s without a key:   {:>6.3} ms", IDLE.as_secs(), idle.as_secs_f64() * 1e3);
    ensure!(
        median <= MAX_CPU && first <= MAX_CPU,
        "a start takes more than {} ms of CPU time",
        MAX_CPU.as_millis()
    );
    ensure!(idle.is_zero(), "it works while it waits");
    Ok(())
}

/// A running session.
struct Session {
    child: std::process::Child,
    keys: File,
}

impl Session {
    /// Starts it and waits for its first prompt.
    fn start(binary: &Path, home: &Path) -> anyhow::Result<Self> {
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(&size, None).context("no pseudo-terminal")?;
        let (inside, outside) = (pty.slave, File::from(pty.master));
        let project = home.join("project");
        std::fs::create_dir_all(&project)?;
        let child = Command::new(binary)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home)
            .env("TERM", "xterm-256color")
            .env("ANTHROPIC_API_KEY", "not-a-key")
            .current_dir(&project)
            .stdin(Stdio::from(inside.try_clone()?))
            .stdout(Stdio::from(inside.try_clone()?))
            .stderr(Stdio::from(inside))
            .spawn()
            .context("the binary does not start")?;
        let (sender, shown) = mpsc::channel();
        let mut screen = outside.try_clone()?;
        // An unread terminal fills up, so it is read to its end.
        std::thread::spawn(move || {
            let mut buffer = [0; 4_096];
            while let Ok(count) = screen.read(&mut buffer) {
                let text = String::from_utf8_lossy(buffer.get(..count).unwrap_or_default()).into_owned();
                if count == 0 || sender.send(text).is_err() {
                    break;
                }
            }
        });
        let session = Self { child, keys: outside };
        let (until, mut seen) = (Instant::now() + PATIENCE, String::new());
        while !seen.contains(PROMPT) {
            let left = until.saturating_duration_since(Instant::now());
            match shown.recv_timeout(left) {
                Ok(text) => seen.push_str(&text),
                Err(_) => bail!("there is no prompt; there is: {seen:?}"),
            }
        }
        Ok(session)
    }

    /// CPU time of all its threads so far, to the nanosecond.
    fn cpu(&self) -> anyhow::Result<Duration> {
        let mut sum = 0;
        for task in std::fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
            sum += text.split(' ').next().unwrap_or_default().parse::<u64>()?;
        }
        Ok(Duration::from_nanos(sum))
    }

    fn leave(mut self) -> anyhow::Result<()> {
        self.keys.write_all(b"\x04")?;
        let status = self.child.wait()?;
        ensure!(status.success(), "it ended with {status}");
        Ok(())
    }
}

/// CPU time of a process that only says its version, as the system accounts for it.
fn nothing(binary: &Path) -> anyhow::Result<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;
    let spent = || -> anyhow::Result<Duration> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        let micros = (usage.user_time() + usage.system_time()).num_microseconds();
        Ok(Duration::from_micros(u64::try_from(micros)?))
    };
    let before = spent()?;
    for _ in 0..STARTS {
        ensure!(
            Command::new(binary).arg("--version").stdout(Stdio::null()).status()?.success(),
            "no version"
        );
    }
    Ok((spent()? - before) / u32::try_from(STARTS)?)
}
