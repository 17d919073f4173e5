//! The order of the operations of one context that an event loop awaits.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::sync::Mutex as Queue;

/// The queues of the contexts whose operations run or wait, by the ids of the contexts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Queues(Arc<Mutex<HashMap<String, Arc<Queue<()>>>>>);

impl Queues {
    /// The work, behind all that was queued for this context before.
    pub(crate) fn behind<T, W>(&self, context: &str, work: W) -> impl Future<Output = T> + Send + use<T, W>
    where
        T: Send,
        W: Future<Output = T> + Send + 'static,
    {
        let (queues, context) = (self.clone(), context.to_owned());
        let mut turn = Box::pin(Arc::clone(queues.map().entry(context.clone()).or_default()).lock_owned());
        // The first poll takes the place in the queue.
        let first = turn.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        async move {
            let turn = match first {
                Poll::Ready(turn) => turn,
                Poll::Pending => turn.await,
            };
            let done = work.await;
            drop(turn);
            queues.remove_unused(&context);
            done
        }
    }

    fn remove_unused(&self, context: &str) {
        let mut map = self.map();
        if map.get(context).is_some_and(|queue| Arc::strong_count(queue) == 1) {
            map.remove(context);
        }
    }

    /// Recovers a poisoned lock: no panic can leave the map half written.
    fn map(&self) -> MutexGuard<'_, HashMap<String, Arc<Queue<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
