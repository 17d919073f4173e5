//! How many tokens a request has, by the provider's own report.

use futures_util::StreamExt;

use throughline_conversation::Usage;

use crate::error::ModelError;
use crate::event::CompletionEvent;
use crate::model::LanguageModel;
use crate::request::CompletionRequest;

/// Maximum output tokens of a probe: enough for any provider's lower limit.
const OUTPUT: u64 = 16;

/// Sends the request for a very short answer and gives the usage that the provider reports. Its prompt is all input tokens:
/// system prompt, tools, messages and tail. The stream is dropped once they are known.
///
/// It costs a request; a provider with a counting call of its own has a cheaper way.
///
/// # Errors
/// The model's error, or [`ModelError::Interrupted`] if the answer ended without a report.
pub async fn probe(model: &dyn LanguageModel, request: &CompletionRequest) -> Result<Usage, ModelError> {
    let request = CompletionRequest { max_output_tokens: OUTPUT, ..request.clone() };
    let mut events = model.stream(&request).await?;
    while let Some(event) = events.next().await {
        if let CompletionEvent::Usage(usage) = event?
            && usage.prompt() > 0
        {
            return Ok(usage);
        }
    }
    Err(ModelError::Interrupted {
        message: "the answer to a probe came without a report of its usage".to_owned(),
    })
}
