//! The calls that run at a server, and who can be asked for each.
//!
//! A server asks over its connection, and the protocol before its version of 2026-07-28 does not say for which call. So a
//! question reaches a user only if all calls that run are the same user's.

use std::sync::Arc;
use std::time::Duration;

use throughline_tools::Elicitor;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// The calls of one server.
#[derive(Debug, Clone)]
pub(crate) struct Callers {
    /// Who can be asked for each call that runs.
    running: Arc<watch::Sender<Vec<Caller>>>,
    /// How many questions are open.
    open: Arc<watch::Sender<usize>>,
}

#[derive(Debug, Clone)]
struct Caller {
    /// Distinguishes calls of the same user.
    call: Arc<()>,
    elicitor: Option<Arc<dyn Elicitor>>,
}

/// A call that runs, until it is dropped.
#[derive(Debug)]
pub(crate) struct RunningCall {
    callers: Callers,
    call: Arc<()>,
}

/// A question that is open, until it is dropped.
#[derive(Debug)]
pub(crate) struct OpenQuestion(Callers);

impl Default for Callers {
    fn default() -> Self {
        Self { running: Arc::new(watch::Sender::new(Vec::new())), open: Arc::new(watch::Sender::new(0)) }
    }
}

impl Callers {
    /// Registers a call.
    pub(crate) fn begin(&self, elicitor: Option<&Arc<dyn Elicitor>>) -> RunningCall {
        let call = Arc::new(());
        let caller = Caller { call: Arc::clone(&call), elicitor: elicitor.cloned() };
        self.running.send_modify(|running| running.push(caller));
        RunningCall { callers: self.clone(), call }
    }

    /// Who a question is for; `None`: no call runs, or it is not known which of them asks.
    pub(crate) fn asked(&self) -> Option<Arc<dyn Elicitor>> {
        let running = self.running.borrow();
        let first = running.first()?.elicitor.as_ref()?;
        let same = |caller: &Caller| caller.elicitor.as_ref().is_some_and(|one| Arc::ptr_eq(one, first));
        running.iter().all(same).then(|| Arc::clone(first))
    }

    /// Waits until no call runs any more.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as this.
        let _ = self.running.subscribe().wait_for(Vec::is_empty).await;
    }

    /// Opens a question: until it is dropped, the time limits of the calls stand still.
    pub(crate) fn ask(&self) -> OpenQuestion {
        self.open.send_modify(|open| *open += 1);
        OpenQuestion(self.clone())
    }

    /// Runs a call within its time limit, in which the time that questions are open does not count. `None`: it timed out.
    pub(crate) async fn within<T>(&self, limit: Duration, call: impl Future<Output = T>) -> Option<T> {
        let mut open = self.open.subscribe();
        let mut left = limit;
        tokio::pin!(call);
        loop {
            let started = Instant::now();
            tokio::select! {
                biased;
                output = &mut call => return Some(output),
                _ = open.wait_for(|open| *open > 0) => left = left.saturating_sub(started.elapsed()),
                () = sleep(left) => return None,
            }
            tokio::select! {
                biased;
                output = &mut call => return Some(output),
                _ = open.wait_for(|open| *open == 0) => {}
            }
        }
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        let ended = |caller: &Caller| Arc::ptr_eq(&caller.call, &self.call);
        self.callers.running.send_modify(|running| running.retain(|caller| !ended(caller)));
    }
}

impl Drop for OpenQuestion {
    fn drop(&mut self) {
        self.0.open.send_modify(|open| *open = open.saturating_sub(1));
    }
}
