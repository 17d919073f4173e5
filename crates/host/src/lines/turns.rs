//! The order of the calls of one context.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Contexts that are remembered before unused ones are dropped.
const MAX_CONTEXTS: usize = 256;

/// Who is next in each context: the calls of one run in the order in which they have taken their places.
#[derive(Debug, Default)]
pub struct Turns(HashMap<String, Arc<Mutex<()>>>);

impl Turns {
    /// A place behind all calls of this context that have one. The future is done when they are.
    pub fn take(&mut self, context: &str) -> impl Future<Output = OwnedMutexGuard<()>> + Send + use<> {
        if self.0.len() >= MAX_CONTEXTS {
            self.0.retain(|_, turn| Arc::strong_count(turn) > 1);
        }
        let turn = Arc::clone(self.0.entry(context.to_owned()).or_default());
        let mut waiting = Box::pin(turn.lock_owned());
        // A waiter has its place in the queue from its first poll on.
        let at_once = (&mut waiting).now_or_never();
        async move {
            match at_once {
                Some(guard) => guard,
                None => waiting.await,
            }
        }
    }
}
