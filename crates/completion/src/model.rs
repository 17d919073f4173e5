//! The port to a model.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::ServerAddress;

use crate::compaction::ProviderAnswer;
use crate::error::ModelError;
use crate::event::EventStream;
use crate::model_info::ModelInfo;
use crate::request::CompletionRequest;

/// Answers requests.
///
/// # Contract
/// - MUST answer with a stream that ends after [`crate::CompletionEvent::Finished`], or with an error item.
/// - MUST NOT send the request again by itself once an event was delivered.
/// - MUST stop the work on the provider's side when the stream is dropped, as far as the provider can.
/// - MUST take every request that [`CompletionRequest::faults`] finds nothing in, up to the window.
///
/// # When it fails
/// Nothing of the answer is stored, and the transcript is unchanged. A transient error is retried,
/// also after the first words of an answer, and then another model may answer, as one may where the credentials or the
/// name of the model are refused. After [`ModelError::Overflow`] there is one forced compaction and one more try; after
/// [`ModelError::TooLarge`] and [`ModelError::PictureRefused`] pictures are left out and the request is sent again, as long
/// as there are some. With every other error, and where all this has not helped, the turn fails.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait LanguageModel: Debug + Send + Sync {
    /// The model's limits and prices.
    fn info(&self) -> ModelInfo;

    /// Sends a request and gives the running answer.
    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError>;

    /// Tokens of a request as the provider counts them, without an answer. `None`: it has no way to ask.
    async fn count(&self, request: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        let _ = request;
        Ok(None)
    }

    /// Asks the provider to compact the messages of a request by its own means, by the instructions if it takes some. The
    /// last message may be the model's.
    async fn compact(
        &self,
        request: &CompletionRequest,
        instructions: &str,
    ) -> Result<ProviderAnswer, ModelError> {
        let _ = (request, instructions);
        let cause = format!("{} has no compaction of its own", self.info().provider);
        Ok(ProviderAnswer::Unsupported { cause, asked: false })
    }

    /// The server that answers; `None`: it is not known, or no server is asked.
    fn server(&self) -> Option<ServerAddress> {
        None
    }
}

const _: Option<&dyn LanguageModel> = None;
