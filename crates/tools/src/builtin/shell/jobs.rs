//! Commands that go on while the model does something else.

use std::collections::BTreeMap;
use std::io::Result;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::capture::Capture;
use super::process::{CommandEnding, Process};
use super::runner::CommandRunner;
use crate::ProcessGroup;

/// Most jobs that run at once.
const MOST_RUNNING: usize = 16;

/// Ended jobs of which the rest of the output can still be read.
const MOST_ENDED: usize = 32;

/// How long a job may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// The background jobs of one session. Clones are the same jobs; all of them end with the last clone.
#[derive(Debug, Clone, Default)]
pub struct Jobs {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    last: u64,
    jobs: BTreeMap<u64, Arc<Job>>,
}

/// A command in the background.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) command: String,
    begun: Instant,
    state: Mutex<State>,
    ended: Notify,
}

#[derive(Debug)]
struct State {
    unread: Capture,
    /// Ends the job's processes when it is taken away.
    group: Option<ProcessGroup>,
    /// `None` while it runs.
    ending: Option<CommandEnding>,
}

/// Why a job was not started.
#[derive(Debug)]
pub(super) enum NotStarted {
    TooMany,
    Failed(std::io::Error),
}

impl Jobs {
    /// No jobs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a command line, which ends after `limit` if there is one. Gives the number of the job.
    pub(super) fn start(
        &self,
        runner: &CommandRunner,
        line: &str,
        folder: &Path,
        limit: Option<Duration>,
    ) -> std::result::Result<u64, NotStarted> {
        let mut table = self.table();
        if table.jobs.values().filter(|job| job.runs()).count() >= MOST_RUNNING {
            return Err(NotStarted::TooMany);
        }
        let job = start(runner, line, folder, limit).map_err(NotStarted::Failed)?;
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

    fn table(&self) -> MutexGuard<'_, Table> {
        self.inner.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let table = self.table.get_mut().unwrap_or_else(PoisonError::into_inner);
        for job in table.jobs.values() {
            drop(job.state().group.take());
        }
    }
}

impl Table {
    /// Forgets the oldest of the jobs that ended.
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
    let state = State { unread: runner.job_capture(), group: Some(group), ending: None };
    let job = Arc::new(Job {
        command: line.to_owned(),
        begun: Instant::now(),
        state: Mutex::new(state),
        ended: Notify::new(),
    });
    tokio::spawn(follow(Arc::clone(&job), process, runner.most(), limit));
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

    /// How long ago it was started.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// What it wrote since the last time, and what `say` makes of its end, `None` while it runs.
    pub(super) fn read<T>(&self, say: impl FnOnce(&[u8], Option<&CommandEnding>) -> T) -> (Vec<u8>, T) {
        let mut state = self.state();
        let written = state.unread.take();
        let said = say(&written, state.ending.as_ref());
        (written, said)
    }

    /// Waits until it has ended, or the time is over.
    pub(super) async fn wait(&self, limit: Duration) {
        // A waiter is registered when it is made, so an end between the two lines still wakes it.
        let ended = self.ended.notified();
        if self.runs() {
            let _ = tokio::time::timeout(limit, ended).await;
        }
    }

    /// Asks its processes to end, and ends the ones that do not.
    pub(super) async fn stop(&self) {
        if let Some(group) = &self.state().group {
            group.ask_to_end();
        }
        self.wait(GRACE).await;
        drop(self.state().group.take());
        self.wait(GRACE).await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
