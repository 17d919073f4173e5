//! `POST /responses/compact`: one request that is answered by an opaque item (OpenAI documentation, "Compaction").

use serde_json::{Map, Value};
use throughline_completion::{ModelError, ProviderAnswer, ProviderSummary};
use throughline_conversation::AnswerIdentity;
use throughline_wire::openai::read_usage;

use crate::http::only;

/// Fields of such a request (OpenAI API reference, "Compact a response").
const FIELDS: &[&str] = &["model", "input", "instructions", "prompt_cache_key", "prompt_cache_options"];

/// Longest opaque item in bytes. Recorded ones have a few thousand.
const MOST_OF_AN_ITEM: usize = 1024 * 1024;

/// The body that compacts the input of a body of `POST /responses`.
pub(super) fn body(body: Value) -> Value {
    only(body, FIELDS)
}

/// What a refused request means. A server without the path, or with a model that it does not compact for, refuses all alike.
pub(super) fn refused(error: ModelError) -> Result<ProviderAnswer, ModelError> {
    match error {
        ModelError::InvalidRequest { .. } | ModelError::UnknownModel { .. } => {
            Ok(ProviderAnswer::Unsupported { cause: error.to_string(), asked: true })
        }
        error => Err(error),
    }
}

/// Reads the answer: the user's messages, which the session has, and one item of type `compaction`.
pub(super) fn read(answer: &Value) -> ProviderAnswer {
    let usage = answer.get("usage").filter(|usage| usage.is_object());
    ProviderAnswer::Answered {
        made: item(answer),
        usage: usage.map(|usage| read_usage(usage, "input", "output")),
        stop: None,
        identity: AnswerIdentity {
            id: string(answer, "id").map(str::to_owned),
            model: string(answer, "model").map(str::to_owned),
        },
    }
}

fn item(answer: &Value) -> Result<ProviderSummary, String> {
    let output = answer.get("output").and_then(Value::as_array);
    let output = output.ok_or("the answer has no `output`")?;
    let is = |item: &&Value| string(item, "type") == Some("compaction");
    let mut items = output.iter().filter(is);
    let (Some(item), None) = (items.next(), items.next()) else {
        return Err("the answer does not have exactly one item of type `compaction`".to_owned());
    };
    let sealed = string(item, "encrypted_content").filter(|sealed| !sealed.is_empty());
    let sealed = sealed.ok_or("the compaction item has no `encrypted_content`")?;
    if sealed.len() > MOST_OF_AN_ITEM {
        return Err(format!("the compaction item is longer than {} KiB", MOST_OF_AN_ITEM / 1024));
    }
    let fields = ["id", "type", "encrypted_content"].into_iter();
    let fields: Map<String, Value> =
        fields.filter_map(|name| Some((name.to_owned(), Value::from(string(item, name)?)))).collect();
    Ok(ProviderSummary::Item(Value::Object(fields)))
}

fn string<'a>(item: &'a Value, name: &str) -> Option<&'a str> {
    item.get(name)?.as_str()
}
