//! A command in the background.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::output_buffer::OutputBuffer;
use super::process::{CommandEnding, Process};
use super::screen_text::screen_text;
use crate::process_group::ProcessGroup;

/// Bytes of the newest output that a person can look at.
const RECENT: usize = 4_096;

/// Time that a job has to end after SIGTERM, before it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// A background job, as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobInfo {
    /// Its number, from 1.
    pub number: u64,
    /// Its command line.
    pub command: String,
    /// How long it has run.
    pub age: Duration,
    /// How it ended; `None` while it runs.
    pub ending: Option<String>,
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
    /// The newest output, for a person; what was read stays in it.
    recent: VecDeque<u8>,
    /// Dropping it ends the job's processes.
    group: Option<ProcessGroup>,
    /// `None` while it runs.
    ending: Option<CommandEnding>,
    /// How long it ran, once it has ended.
    lasted: Option<Duration>,
    /// The end was read, or said otherwise.
    is_end_known: bool,
}

impl JobState {
    fn take(&mut self, part: &[u8]) {
        self.unread.push(part);
        self.recent.extend(part);
        let over = self.recent.len().saturating_sub(RECENT);
        self.recent.drain(..over);
    }
}

impl Job {
    /// A command that began at this time and has written this before it became a job, which was read already.
    pub(super) fn new(
        line: &str,
        group: ProcessGroup,
        unread: OutputBuffer,
        begun: Instant,
        written: &[u8],
    ) -> Self {
        let newest = written.get(written.len().saturating_sub(RECENT)..).unwrap_or_default();
        let state = JobState {
            unread,
            recent: newest.iter().copied().collect(),
            group: Some(group),
            ending: None,
            lasted: None,
            is_end_known: false,
        };
        Self { command: line.to_owned(), begun, state: Mutex::new(state), ended: Notify::new() }
    }

    /// Collects the output of its process until it has ended or its time is over.
    pub(super) async fn follow(&self, mut process: Process, most: u64, limit: Option<Duration>) {
        let mut take = |part: &[u8]| self.state().take(part);
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
        self.end();
        process.settle(&mut take).await;
        {
            let mut state = self.state();
            state.ending = Some(ending);
            state.lasted = Some(self.begun.elapsed());
        }
        self.ended.notify_waiters();
    }

    /// Ends its processes at once.
    pub(super) fn end(&self) {
        drop(self.state().group.take());
    }

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
        state.is_end_known |= state.ending.is_some();
        let mapped = map(&written, state.ending.as_ref());
        (written, mapped)
    }

    /// The end of what it has written, as a terminal shows it.
    pub(super) fn recent(&self) -> String {
        let recent: Vec<u8> = self.state().recent.iter().copied().collect();
        String::from_utf8_lossy(&screen_text(recent)).into_owned()
    }

    pub(super) fn info(&self, number: u64) -> JobInfo {
        let state = self.state();
        JobInfo {
            number,
            command: self.command.clone(),
            age: state.lasted.unwrap_or_else(|| self.begun.elapsed()),
            ending: state.ending.as_ref().map(ToString::to_string),
        }
    }

    /// Returns true once, if it has ended and its end was not read.
    pub(super) fn take_unknown_end(&self) -> bool {
        let mut state = self.state();
        let is_new = state.ending.is_some() && !state.is_end_known;
        state.is_end_known |= is_new;
        is_new
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
        self.end();
        self.wait(GRACE).await;
    }

    fn state(&self) -> MutexGuard<'_, JobState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
