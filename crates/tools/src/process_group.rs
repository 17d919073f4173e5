//! A process and all that it starts.

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// The processes of a group. All of them are ended when it is dropped: then also a cancelled call leaves none behind.
#[derive(Debug)]
pub struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// The group that a child leads, which has the child's own number. The child must have been started as the leader of a
    /// group, or make itself one.
    #[must_use]
    pub fn of(child: &Child) -> Self {
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        Self(number.and_then(Pid::from_raw))
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
            // It fails when the group is empty already, which is what is wanted.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}
