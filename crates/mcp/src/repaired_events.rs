//! Repairs messages of servers that write them wrongly.

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::SseError;
use serde_json::{Value, json};
use sse_stream::Sse;

use crate::check_message::{CheckedMessage, check_message};

/// The events of a stream.
pub(crate) type Events = BoxStream<'static, Result<Sse, SseError>>;

/// A message that can be read, if it can be repaired.
pub(crate) fn repaired_message(message: ServerJsonRpcMessage) -> ServerJsonRpcMessage {
    let repaired = match serde_json::to_vec(&message).map(|bytes| check_message(&bytes)) {
        Ok(CheckedMessage::Repaired(fields)) => serde_json::from_value(Value::Object(fields)).ok(),
        _ => None,
    };
    repaired.unwrap_or(message)
}

/// The events with messages that can be read. `id`: the request that they answer.
pub(crate) fn repaired(events: Events, id: Option<RequestId>) -> Events {
    let events = events.map(move |event| {
        let mut event = event?;
        let Some(data) = event.data.as_deref() else { return Ok(event) };
        match (check_message(data.as_bytes()), &id) {
            (CheckedMessage::Repaired(mut fields), _) => {
                if let Some(id) = id.as_ref().filter(|_| !fields.contains_key("method")) {
                    fields.insert("id".to_owned(), json!(id));
                }
                event.data = Some(Value::Object(fields).to_string());
            }
            (CheckedMessage::Good(Some(Value::Null)), Some(id)) => {
                if let Ok(Value::Object(mut fields)) = serde_json::from_str(data) {
                    fields.insert("id".to_owned(), json!(id));
                    event.data = Some(Value::Object(fields).to_string());
                }
            }
            (CheckedMessage::Unreadable(why), Some(id)) => {
                let error = json!({"code": -32_700, "message": why});
                event.data = Some(json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string());
            }
            _ => {}
        }
        Ok(event)
    });
    events.boxed()
}
