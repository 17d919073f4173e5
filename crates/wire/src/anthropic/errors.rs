//! The errors inside a stream of Anthropic's.

use serde_json::Value;
use throughline_completion::ModelError;

use crate::errors;
use crate::stream::sse::SseEvent;

/// The error of an event that is named `error` and whose data is not JSON, as some gateways send it.
pub(super) fn in_plain_text(event: &SseEvent) -> Option<ModelError> {
    let is_plain = event.event == "error" && serde_json::from_str::<Value>(&event.data).is_err();
    is_plain.then(|| errors::of_event(&Value::String(event.data.clone())))
}
