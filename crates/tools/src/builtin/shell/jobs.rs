//! Background jobs: commands that run while the turn continues.

use std::collections::BTreeMap;
use std::io::Result;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::output_buffer::OutputBuffer;
use super::process::{CommandEnding, Process};
use super::runner::CommandRunner;
use super::screen_text::screen_text;
use crate::process_group::ProcessGroup;

/// Maximum number of jobs that run at the same time.
const MOST_RUNNING: usize = 16;

/// Maximum number of ended jobs that are remembered, so that the rest of their output can be read.
const MOST_ENDED: usize = 32;

/// Time that a job has to end after SIGTERM, before it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// The background jobs of one session. Clones share the jobs; dropping the last clone ends all of them.
#[derive(Debug, Clone, Default)]
pub struct Jobs {
    inner: Arc<SharedJobs>,
}

#[derive(Debug, Default)]
struct SharedJobs {
    table: Mutex<JobTable>,
}

#[derive(Debug, Default)]
struct JobTable {
    last: u64,
    jobs: BTreeMap<u64, Arc<Job>>,
}

/// A command in the background.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) command: String,
    begun: Instant,
    state: Mutex<JobState>,
    ended: Notify,
}

#[derive(Debug)]
struct JobState {
    unread: OutputBuffer,
    /// Dropping it ends the job's processes.
    group: Option<ProcessGroup>,
    /// `None` while it runs.
    ending: Option<CommandEnding>,
}

/// Reason why a job was not started.
#[derive(Debug)]
pub(super) enum JobError {
    TooMany,
    Failed(std::io::Error),
}

impl Jobs {
    /// An empty list of jobs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a command line, which is ended after `limit` if one is given. Returns the number of the job.
    pub(super) fn start(
        &self,
        runner: &CommandRunner,
        line: &str,
        folder: &Path,
        limit: Option<Duration>,
    ) -> std::result::Result<u64, JobError> {
        let mut table = self.table();
        if table.jobs.values().filter(|job| job.runs()).count() >= MOST_RUNNING {
            return Err(JobError::TooMany);
        }
        let job = start(runner, line, folder, limit).map_err(JobError::Failed)?;
        table.last += 1;
        let number = table.last;
        table.jobs.insert(number, job);
        table.forget();
        Ok(number)
    }

    pub(super) fn get(&self, number: u64) -> Option<Arc<Job>> {
        self.table().jobs.get(&number).cloned()
    }

    /// All jobs, oldest first.
    pub(super) fn all(&self) -> Vec<(u64, Arc<Job>)> {
        self.table().jobs.iter().map(|(number, job)| (*number, Arc::clone(job))).collect()
    }

    fn table(&self) -> MutexGuard<'_, JobTable> {
        self.inner.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SharedJobs {
    fn drop(&mut self) {
        let table = self.table.get_mut().unwrap_or_else(PoisonError::into_inner);
        for job in table.jobs.values() {
            drop(job.state().group.take());
        }
    }
}

impl JobTable {
    /// Forgets the oldest ended jobs beyond [`MOST_ENDED`].
    fn forget(&mut self) {
        let ended: Vec<u64> =
            self.jobs.iter().filter(|(_, job)| !job.runs()).map(|(number, _)| *number).collect();
        for number in ended.iter().take(ended.len().saturating_sub(MOST_ENDED)) {
            self.jobs.remove(number);
        }
    }
}

fn start(runner: &CommandRunner, line: &str, folder: &Path, limit: Option<Duration>) -> Result<Arc<Job>> {
    let (process, group) = runner.start(line, folder)?;
    let state = JobState { unread: runner.job_buffer(), group: Some(group), ending: None };
    let job = Arc::new(Job {
        command: line.to_owned(),
        begun: Instant::now(),
        state: Mutex::new(state),
        ended: Notify::new(),
    });
    tokio::spawn(follow(Arc::clone(&job), process, runner.max_output(), limit));
    Ok(job)
}

async fn follow(job: Arc<Job>, mut process: Process, most: u64, limit: Option<Duration>) {
    let mut take = |part: &[u8]| job.state().unread.push(part);
    let over = async {
        match limit {
            Some(limit) => tokio::time::sleep(limit).await,
            None => std::future::pending().await,
        }
    };
    let ending = tokio::select! {
        ending = process.follow(most, &mut take) => ending,
        () = over => CommandEnding::TimedOut,
    };
    drop(job.state().group.take());
    process.settle(&mut take).await;
    job.state().ending = Some(ending);
    job.ended.notify_waiters();
}

impl Job {
    pub(super) fn runs(&self) -> bool {
        self.state().ending.is_none()
    }

    /// Time since the start.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Takes the output since the last read, and maps it together with the ending (`None` while the job runs).
    pub(super) fn read<T>(&self, map: impl FnOnce(&[u8], Option<&CommandEnding>) -> T) -> (Vec<u8>, T) {
        let mut state = self.state();
        let written = screen_text(state.unread.take());
        let mapped = map(&written, state.ending.as_ref());
        (written, mapped)
    }

    /// Waits until the job has ended, at most for `limit`.
    pub(super) async fn wait(&self, limit: Duration) {
        // `notified()` registers the waiter, so an end between the two lines still wakes it.
        let ended = self.ended.notified();
        if self.runs() {
            let _ = tokio::time::timeout(limit, ended).await;
        }
    }

    /// Sends SIGTERM to the job's processes, and kills those that are left after [`GRACE`].
    pub(super) async fn stop(&self) {
        if let Some(group) = &self.state().group {
            group.ask_to_end();
        }
        self.wait(GRACE).await;
        drop(self.state().group.take());
        self.wait(GRACE).await;
    }

    fn state(&self) -> MutexGuard<'_, JobState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
