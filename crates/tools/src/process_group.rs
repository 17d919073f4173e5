//! A process and all that it starts.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// The groups that are held now. A program that ends at once drops nothing: it has to find them here.
static HELD: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn held() -> MutexGuard<'static, BTreeSet<i32>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes of a group. All of them are ended when it is dropped: then also a cancelled call leaves none behind.
#[derive(Debug)]
pub struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// The group that a child leads, which has the child's own number. The child must have been started as the leader of a
    /// group, or make itself one.
    #[must_use]
    pub fn of(child: &Child) -> Self {
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        held().extend(number);
        Self(number.and_then(Pid::from_raw))
    }

    /// Ends every process of every group of this program: what dropping all of them would do. For a program that ends
    /// without dropping what it holds.
    pub fn end_all() {
        for group in held().iter().copied().filter_map(Pid::from_raw) {
            kill(group, Signal::KILL);
        }
    }

    /// Asks every process of the group to end.
    pub fn ask_to_end(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends every process of the group.
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
    // It fails when the group is empty already, which is what is wanted.
    let _ = kill_process_group(group, signal);
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
        if let Some(group) = self.0 {
            held().remove(&group.as_raw_nonzero().get());
        }
    }
}
