//! A command that hangs is ended, with everything that it started.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// Runs the command. `None`: it was still running at the limit and was ended.
pub(crate) fn status_within(command: &mut Command, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    // Short at first, so that a quick command is not made slow.
    let mut pause = Duration::from_millis(5);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            end(&mut child)?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(500));
    }
}

/// Ends the child and all that came from it. A group of their own would make that one call, and would keep Ctrl+C from
/// them.
fn end(child: &mut Child) -> io::Result<()> {
    let table = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output();
    let family = table.map(|table| descendants(&String::from_utf8_lossy(&table.stdout), child.id()));
    child.kill()?;
    child.wait()?;
    // Without `ps` the child alone is ended.
    let family = family.unwrap_or_default();
    if !family.is_empty() {
        // One that has ended since makes `kill` complain, and the others end all the same.
        Command::new("kill").arg("-KILL").args(family.iter().map(u32::to_string)).output()?;
    }
    Ok(())
}

/// The processes that come from this one, out of lines of a process and its parent.
fn descendants(table: &str, of: u32) -> Vec<u32> {
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<u32>().ok());
    let pairs: Vec<(u32, u32)> = table
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((number(words.next())?, number(words.next())?))
        })
        .collect();
    let children =
        |of: u32| pairs.iter().filter(move |(_, parent)| *parent == of).map(|(process, _)| *process);
    let mut found = Vec::new();
    let mut next: Vec<u32> = children(of).collect();
    while !next.is_empty() {
        found.extend(&next);
        next = next.into_iter().flat_map(children).collect();
    }
    found
}

#[cfg(test)]
mod tests;
