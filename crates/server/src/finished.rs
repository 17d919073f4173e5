//! Work that is finished even if its request is dropped.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, CatchUnwind};
use tokio::runtime::Handle;

use crate::answer::Failure;
use crate::streams::Place;

/// Answers a request to its end even if its client disconnects: a change must not be left half done. Its user has one place less
/// until then.
pub(crate) async fn finished(request: Request, next: Next) -> Response {
    let place = request.extensions().get::<Place>().cloned();
    let answered = Finished::new(async move {
        let _place = place;
        next.run(request).await
    });
    let broken = |_| Failure::broken("the operation ended without an outcome").into_response();
    answered.await.unwrap_or_else(broken)
}

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
