//! A process group, which ends as a whole.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// The live groups. A program that exits without running destructors ends them through this list.
static LIVE_GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn live_groups() -> MutexGuard<'static, BTreeSet<i32>> {
    LIVE_GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process group. Dropping it kills all of its processes, so that a cancelled call leaves none behind.
#[derive(Debug)]
pub struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// The group whose leader is this child. The child must have been started as a group leader, or become one.
    #[must_use]
    pub fn of(child: &Child) -> Self {
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        live_groups().extend(number);
        Self(number.and_then(Pid::from_raw))
    }

    /// Kills every live group, as dropping all of them would. For a program that exits without running destructors.
    pub fn end_all() {
        for group in live_groups().iter().copied().filter_map(Pid::from_raw) {
            kill(group, Signal::KILL);
        }
    }

    /// Sends SIGTERM to every process of the group.
    pub fn ask_to_end(&self) {
        self.signal(Signal::TERM);
    }

    /// Sends SIGKILL to every process of the group.
    pub fn end(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            kill(group, signal);
        }
    }
}

fn kill(group: Pid, signal: Signal) {
    // It fails if the group is already empty, which is the goal.
    let _ = kill_process_group(group, signal);
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
        if let Some(group) = self.0 {
            live_groups().remove(&group.as_raw_nonzero().get());
        }
    }
}
