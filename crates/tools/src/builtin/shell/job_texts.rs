//! What results say of commands that run on in the background: written here, and read again when a session is resumed.

/// Between these stands the number of a job that a call has started, or that the user has made of it.
const STARTED: [(&str, &str); 2] =
    [("Started as job ", ". shell_output"), ("to the background: it runs on as job ", ". shell_output")];

/// The state of a job that has not ended.
const RUNS: &str = "[it runs since ";

/// The result of a call that starts a job.
pub(super) fn started(number: u64) -> String {
    format!("Started as job {number}. shell_output shows what it writes, shell_stop ends it.")
}

/// The line of a result whose command the user moved to the background.
pub(super) fn moved(number: u64) -> String {
    format!(
        "[the user moved this command to the background: it runs on as job {number}. shell_output shows what it writes \
         next, shell_stop ends it]"
    )
}

/// The state of a job that runs.
pub(super) fn running(seconds: u64) -> String {
    format!("{RUNS}{seconds} s]")
}

/// The number of the job that the result of a call of `shell` says it has started.
#[must_use]
pub fn started_job(result: &str) -> Option<u64> {
    let line = result.lines().next_back()?;
    STARTED.iter().find_map(|(before, after)| {
        let (number, _) = line.split_once(before)?.1.split_once(after)?;
        number.parse().ok()
    })
}

/// Returns true if a result of `shell_output` or `shell_stop` says that the job has not ended.
#[must_use]
pub fn says_that_it_runs(result: &str) -> bool {
    result.lines().next_back().is_some_and(|line| line.starts_with(RUNS))
}

#[cfg(test)]
mod tests;
