//! Work that is finished even if its request is dropped.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, CatchUnwind};
use tokio::runtime::Handle;

/// A future that runs where it is awaited, and in a task of its own to its end if it is dropped before. `Err`: it has panicked.
pub(crate) struct Finished<T: Send + 'static> {
    /// `None`: it has ended.
    work: Option<CatchUnwind<AssertUnwindSafe<BoxFuture<'static, T>>>>,
}

impl<T: Send + 'static> Finished<T> {
    pub(crate) fn new(work: impl Future<Output = T> + Send + 'static) -> Self {
        Self { work: Some(AssertUnwindSafe(work.boxed()).catch_unwind()) }
    }
}

impl<T: Send + 'static> Future for Finished<T> {
    type Output = std::thread::Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(work) = &mut self.work else { return Poll::Pending };
        let outcome = std::task::ready!(work.poll_unpin(context));
        self.work = None;
        Poll::Ready(outcome)
    }
}

impl<T: Send + 'static> Drop for Finished<T> {
    fn drop(&mut self) {
        // Without a runtime the program ends.
        if let (Some(work), Ok(runtime)) = (self.work.take(), Handle::try_current()) {
            runtime.spawn(work);
        }
    }
}

#[cfg(test)]
mod tests;
