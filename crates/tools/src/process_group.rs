//! The processes of a command, which end as a whole.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

use crate::lifeline::Lifeline;

/// The live groups without a supervisor. A program that exits without running destructors ends them through this list.
static LIVE_GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn live_groups() -> MutexGuard<'static, BTreeSet<i32>> {
    LIVE_GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes of a command. Dropping it kills all of them, so that a cancelled call leaves none behind.
#[derive(Debug)]
pub struct ProcessGroup(Kind);

#[derive(Debug)]
enum Kind {
    /// Ends by signals to the group.
    Group(Option<Pid>),
    /// The supervisor ends it, also after the end of this process.
    Supervised(Lifeline),
}

impl ProcessGroup {
    /// The processes of a child: those that its supervisor finds, or its group. Without a supervisor the child must have been
    /// started as a group leader, or become one.
    #[must_use]
    pub fn of(child: &Child, lifeline: Option<Lifeline>) -> Self {
        if let Some(lifeline) = lifeline {
            return Self(Kind::Supervised(lifeline));
        }
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        live_groups().extend(number);
        Self(Kind::Group(number.and_then(Pid::from_raw)))
    }

    /// Kills every live group, as dropping all of them would. For a program that exits without running destructors.
    pub fn end_all() {
        for group in live_groups().iter().copied().filter_map(Pid::from_raw) {
            kill(group, Signal::KILL);
        }
    }

    /// Sends SIGTERM to every process of the group.
    pub fn ask_to_end(&self) {
        match &self.0 {
            Kind::Group(group) => group.iter().for_each(|group| kill(*group, Signal::TERM)),
            Kind::Supervised(lifeline) => lifeline.ask_to_end(),
        }
    }

    /// Sends SIGKILL to every process.
    pub fn end(&self) {
        match &self.0 {
            Kind::Group(group) => group.iter().for_each(|group| kill(*group, Signal::KILL)),
            Kind::Supervised(lifeline) => lifeline.end(),
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
        if let Kind::Group(Some(group)) = self.0 {
            live_groups().remove(&group.as_raw_nonzero().get());
        }
    }
}
