//! The list of models, in Anthropic's form, in OpenAI's and in Google's.

use serde_json::{Value, json};

use super::{CREATED, CREATED_TEXT, Problem, Protocol};
use crate::ErrorKind;
use crate::reply::Reply;
use crate::script::Model;

/// `GET /v1/models`.
pub(crate) fn list(protocol: Protocol, models: &[Model], number: u64) -> Reply {
    if protocol == Protocol::Gemini {
        return super::gemini::list(models);
    }
    let data: Vec<Value> = models.iter().map(|model| value(protocol, model)).collect();
    let body = match protocol {
        Protocol::Anthropic => {
            let id = |model: Option<&Model>| model.map(|model| model.name.clone());
            json!({"data": data, "has_more": false, "first_id": id(models.first()), "last_id": id(models.last())})
        }
        _ => json!({"object": "list", "data": data}),
    };
    super::problem::with_request_id(Reply::json(200, &body), protocol, number)
}

/// `GET /v1/models/NAME`.
pub(crate) fn one(protocol: Protocol, models: &[Model], name: &str, number: u64) -> Reply {
    let Some(model) = models.iter().find(|model| model.name == name) else {
        return Problem::Kind(ErrorKind::NotFound).reply(protocol, name, number);
    };
    super::problem::with_request_id(Reply::json(200, &value(protocol, model)), protocol, number)
}

/// OpenAI has no field for the window; vLLM, which speaks like it, calls it `max_model_len`.
fn value(protocol: Protocol, model: &Model) -> Value {
    match protocol {
        Protocol::Gemini => super::gemini::model(model),
        Protocol::Anthropic => json!({
            "type": "model",
            "id": model.name,
            "display_name": model.name,
            "created_at": CREATED_TEXT,
            "lifecycle": "active",
            "max_input_tokens": model.window,
        }),
        _ => json!({
            "id": model.name,
            "object": "model",
            "created": CREATED,
            "owned_by": "testserver",
            "max_model_len": model.window,
        }),
    }
}
