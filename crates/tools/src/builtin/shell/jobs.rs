//! Background jobs: commands that run while the turn continues.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::job::{Job, JobInfo};
use super::process::Process;
use super::runner::CommandRunner;
use super::running_command::RunningCommand;

/// Maximum number of jobs that run at the same time.
const MOST_RUNNING: usize = 16;

/// Maximum number of ended jobs that are remembered, so that the rest of their output can be read.
const MOST_ENDED: usize = 32;

/// The background jobs of one session. Clones share the jobs; dropping the last clone ends all of them.
#[derive(Debug, Clone, Default)]
pub struct Jobs {
    inner: Arc<SharedJobs>,
}

#[derive(Debug, Default)]
struct SharedJobs {
    table: Mutex<JobTable>,
    /// Calls that wait for a command.
    waiting: AtomicUsize,
    /// Wakes them, so that their commands become jobs.
    released: Notify,
}

#[derive(Debug, Default)]
struct JobTable {
    last: u64,
    jobs: BTreeMap<u64, Arc<Job>>,
    /// Hears of the jobs that end.
    ends: Option<UnboundedSender<JobInfo>>,
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

    /// Numbers jobs behind those of an earlier process of the session.
    pub fn continue_after(&self, number: u64) {
        let mut table = self.table();
        table.last = table.last.max(number);
    }

    /// Starts a command line, which is ended after `limit` if one is given. Returns the number of the job.
    pub(super) fn start(
        &self,
        runner: &CommandRunner,
        line: &str,
        folder: &Path,
        limit: Option<Duration>,
    ) -> Result<u64, JobError> {
        let mut table = self.table();
        if table.jobs.values().filter(|job| job.runs()).count() >= MOST_RUNNING {
            return Err(JobError::TooMany);
        }
        let (process, group) = runner.start(line, folder).map_err(JobError::Failed)?;
        let job = Job::new(line, group, runner.job_buffer(), Instant::now(), &[]);
        Ok(table.add(job, process, runner, limit))
    }

    /// Lets a command that a call has waited for run on as a job without a time limit. Returns its output so far, and the number
    /// of the job.
    pub(super) fn adopt(
        &self,
        runner: &CommandRunner,
        line: &str,
        running: RunningCommand,
    ) -> (Vec<u8>, u64) {
        let RunningCommand { process, group, buffer, begun, .. } = running;
        let written = buffer.finish();
        let job = Job::new(line, group, runner.job_buffer(), begun, &written);
        (written, self.table().add(job, process, runner, None))
    }

    /// Makes jobs of the commands that calls wait for. Returns false if no call waits for one.
    #[must_use]
    pub fn release(&self) -> bool {
        if self.inner.waiting.load(Ordering::SeqCst) == 0 {
            return false;
        }
        self.inner.released.notify_waiters();
        true
    }

    /// Counts a call as one that waits for a command, until the value is dropped.
    pub(super) fn wait_for_release(&self) -> WaitingCall<'_> {
        self.inner.waiting.fetch_add(1, Ordering::SeqCst);
        WaitingCall(&self.inner)
    }

    /// All jobs that are remembered, oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<JobInfo> {
        self.all().iter().map(|(number, job)| job.info(*number)).collect()
    }

    /// The end of what a job has written, up to 4 KiB. What the model reads is not changed. `None`: there is no such job.
    #[must_use]
    pub fn recent_output(&self, number: u64) -> Option<(JobInfo, String)> {
        self.get(number).map(|job| (job.info(number), job.recent()))
    }

    /// Ends a job with all its processes. Returns false if no job of this number runs.
    pub async fn stop(&self, number: u64) -> bool {
        match self.get(number).filter(|job| job.runs()) {
            Some(job) => {
                job.stop().await;
                true
            }
            None => false,
        }
    }

    /// The jobs that end from now on, as they end. Only the newest receiver gets them; it closes with the last clone of these
    /// jobs.
    #[must_use]
    pub fn ends(&self) -> UnboundedReceiver<JobInfo> {
        let (sender, receiver) = unbounded_channel();
        self.table().ends = Some(sender);
        receiver
    }

    /// The jobs that have ended without the model's knowledge: each is returned once.
    #[must_use]
    pub fn take_unknown_ends(&self) -> Vec<JobInfo> {
        let ended = self.all().into_iter().filter(|(_, job)| job.take_unknown_end());
        ended.map(|(number, job)| job.info(number)).collect()
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
            job.end();
        }
    }
}

impl JobTable {
    /// Follows a command as a job. Returns its number.
    fn add(&mut self, job: Job, process: Process, runner: &CommandRunner, limit: Option<Duration>) -> u64 {
        let job = Arc::new(job);
        self.last += 1;
        let (number, ends, most) = (self.last, self.ends.clone(), runner.max_output());
        let followed = Arc::clone(&job);
        tokio::spawn(async move {
            followed.follow(process, most, limit).await;
            if let Some(ends) = ends {
                ends.send(followed.info(number)).ok();
            }
        });
        self.jobs.insert(number, job);
        self.forget();
        number
    }

    /// Forgets the oldest ended jobs beyond [`MOST_ENDED`].
    fn forget(&mut self) {
        let ended: Vec<u64> =
            self.jobs.iter().filter(|(_, job)| !job.runs()).map(|(number, _)| *number).collect();
        for number in ended.iter().take(ended.len().saturating_sub(MOST_ENDED)) {
            self.jobs.remove(number);
        }
    }
}

/// A call that waits for a command.
pub(super) struct WaitingCall<'j>(&'j SharedJobs);

impl WaitingCall<'_> {
    /// Waits until the command shall become a job. A release between the making of the future and its first poll counts.
    pub(super) fn released(&self) -> Notified<'_> {
        self.0.released.notified()
    }
}

impl Drop for WaitingCall<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
