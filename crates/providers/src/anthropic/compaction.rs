//! Compaction on demand: one request that is answered by a summary (Anthropic documentation, "Compaction on demand").

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use throughline_completion::{
    AnswerDetails, CompletionEvent, EventStream, ModelError, ProviderAnswer, ProviderSummary, StopReason,
};
use throughline_conversation::ContentBlock;

use crate::http::names;

/// Value of the header `anthropic-beta` for such a request.
pub const COMPACTION: &str = "compact-2026-09-04";

/// The field that makes a request one.
pub(super) const FIELD: &str = "compaction";

/// Words of a server that does not know the field, the header, or both.
const UNKNOWN: &[&str] = &["compact", "anthropic-beta"];

/// The value of [`FIELD`]. The instructions replace the prompt of the API.
pub(super) fn asked(instructions: &str) -> Value {
    json!({"type": "summarize", "instructions": instructions})
}

/// What a refused request means.
pub(super) fn refused(error: ModelError) -> Result<ProviderAnswer, ModelError> {
    match names(&error, UNKNOWN) {
        true => Ok(ProviderAnswer::Unsupported { cause: error.to_string(), asked: true }),
        false => Err(error),
    }
}

/// Reads the answer: one block, whose content is the summary.
pub(super) async fn read(mut events: EventStream) -> Result<ProviderAnswer, ModelError> {
    let (mut usage, mut block, mut stop) = (None, None, StopReason::EndTurn);
    let mut details = AnswerDetails::default();
    while let Some(event) = events.next().await {
        match event? {
            CompletionEvent::Usage(report) => usage = Some(report),
            CompletionEvent::Block(ContentBlock::Thinking(thinking)) if thinking.is_compaction() => {
                block = thinking.item();
            }
            CompletionEvent::Finished(reason) => stop = reason,
            CompletionEvent::Detail(detail) => details.add(detail),
            _ => {}
        }
    }
    let made = summary(block.as_ref(), &stop);
    let stop = Some(stop.name().to_owned());
    Ok(ProviderAnswer::Answered { made, usage, stop, identity: details.identity })
}

/// The summary of a block. A block without content is a summary that failed.
fn summary(block: Option<&Value>, stop: &StopReason) -> Result<ProviderSummary, String> {
    let Some(block) = block else {
        return Err(format!("the answer has no `{FIELD}` block, and ended with {:?}", stop.name()));
    };
    if stop.is_cut_off() {
        return Err("the summary is cut off at its limit of tokens".to_owned());
    }
    let content = block.get("content").and_then(Value::as_str).unwrap_or_default().trim();
    match content {
        "" => Err("the provider wrote no summary".to_owned()),
        content => Ok(ProviderSummary::Text(content.to_owned())),
    }
}
