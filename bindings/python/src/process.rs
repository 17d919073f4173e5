//! The threads that run operations, and which operations run.
//!
//! Threads do not survive a fork, so each process has its own. An interpreter that ends waits for what has begun, because a thread may
//! not enter it afterwards.

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};

use crate::failure::Failure;

/// How often a program that ends looks at signals, so that Ctrl+C ends it at once.
const SIGNALS: Duration = Duration::from_millis(50);

/// A process: this one, or one that this one was forked of.
#[derive(Debug)]
pub(crate) struct Process {
    id: u32,
    runtime: std::io::Result<Runtime>,
    running: Mutex<Running>,
    ended: Condvar,
    /// A fork of it.
    fork: OnceLock<Box<Self>>,
}

#[derive(Debug, Default)]
struct Running {
    operations: usize,
    /// The interpreter ends: nothing begins any more.
    closed: bool,
}

/// An operation that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct Begun {
    process: &'static Process,
}

impl Process {
    /// This process.
    pub(crate) fn current() -> &'static Self {
        static FIRST: OnceLock<Process> = OnceLock::new();
        let id = std::process::id();
        let new = || Self {
            id,
            runtime: Builder::new_multi_thread().enable_all().build(),
            running: Mutex::default(),
            ended: Condvar::new(),
            fork: OnceLock::new(),
        };
        let mut process = FIRST.get_or_init(new);
        while process.id != id {
            process = process.fork.get_or_init(|| Box::new(new()));
        }
        process
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// Begins an operation.
    ///
    /// # Errors
    /// [`Failure::Ended`], and [`Failure::Threads`] where no thread can be started.
    pub(crate) fn begin(&'static self) -> Result<(Begun, &'static Runtime), Failure> {
        let runtime = self.runtime.as_ref().map_err(|error| Failure::Threads(error.to_string()))?;
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.closed {
            return Err(Failure::Ended);
        }
        running.operations += 1;
        Ok((Begun { process: self }, runtime))
    }
}

impl Begun {
    /// Returns true if the interpreter ends, where no outcome is waited for.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.process.running.lock().unwrap_or_else(PoisonError::into_inner).closed
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let mut running = self.process.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.operations = running.operations.saturating_sub(1);
        self.process.ended.notify_all();
    }
}

/// Ends the operations of this process: what runs comes to its end, and nothing begins.
#[pyfunction]
pub(crate) fn end(py: Python<'_>) -> PyResult<()> {
    let process = Process::current();
    let wait = || {
        let mut running = process.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.closed = true;
        let (running, _) = process
            .ended
            .wait_timeout_while(running, SIGNALS, |running| running.operations > 0)
            .unwrap_or_else(PoisonError::into_inner);
        running.operations == 0
    };
    while !py.detach(wait) {
        py.check_signals()?;
    }
    Ok(())
}
