//! The port to a model.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{CompletionRequest, EventStream, ModelError, ModelInfo};

/// Answers requests.
///
/// # Contract
/// - MUST answer with a stream that ends after [`crate::CompletionEvent::Finished`], or with an error item.
/// - MUST NOT send the request again by itself once an event was delivered.
/// - MUST stop the work on the provider's side when the stream is dropped, as far as the provider can.
/// - MUST take every request that [`CompletionRequest::faults`] finds nothing in, up to the window.
///
/// # When it fails
/// The turn fails with the error, except for [`ModelError::Overflow`] (one forced compaction, then one more
/// try). Nothing of the answer is kept; the transcript stays as it was before the request.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait LanguageModel: Debug + Send + Sync {
    /// What the model can hold and what it costs.
    fn info(&self) -> ModelInfo;

    /// Sends a request and gives the running answer.
    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError>;

    /// Tokens of a request as the provider counts them, without an answer. `None`: it has no way to ask.
    async fn count(&self, request: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        let _ = request;
        Ok(None)
    }
}

const _: Option<&dyn LanguageModel> = None;
