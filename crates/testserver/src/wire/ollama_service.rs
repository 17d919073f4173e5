//! What Ollama tells about its models (documentation, "List local models", "Show model information", "Pull a
//! model").

use serde_json::{Map, Value, json};

use super::{CREATED_TEXT, Problem, Protocol, model, streams};
use crate::ErrorKind;
use crate::reply::{Frame, Reply};
use crate::script::Model;

/// The family that every model here belongs to.
const FAMILY: &str = "llama";

/// Bytes that every model here is said to have.
const BYTES: u64 = 2_019_393_189;

/// A digest that every model here is said to have.
const DIGEST: &str = "a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72";

/// `GET /api/tags`.
pub(crate) fn tags(models: &[Model]) -> Reply {
    let value = |model: &Model| {
        json!({
            "name": model.name,
            "model": model.name,
            "modified_at": CREATED_TEXT,
            "size": BYTES,
            "digest": DIGEST,
            "details": details(),
        })
    };
    Reply::json(200, &json!({"models": models.iter().map(value).collect::<Vec<_>>()}))
}

/// `POST /api/show`.
pub(crate) fn show(models: &[Model], body: &Value) -> Reply {
    let name = named(body);
    let Some(model) = find(models, name) else {
        return Problem::Kind(ErrorKind::NotFound).reply(Protocol::Ollama, name, 0);
    };
    let mut info = Map::new();
    info.insert("general.architecture".to_owned(), json!(FAMILY));
    info.insert("general.parameter_count".to_owned(), json!(3_212_749_888_u64));
    info.insert(format!("{FAMILY}.context_length"), json!(model.window));
    let body = json!({
        "license": "",
        "modelfile": format!("FROM {}", model.name),
        "parameters": "",
        "template": "{{ .Prompt }}",
        "details": details(),
        "model_info": info,
        "capabilities": ["completion", "tools", "thinking"],
        "modified_at": CREATED_TEXT,
    });
    Reply::json(200, &body)
}

/// `POST /api/pull`. What the registry does not have, when the script names models, is an error in the stream.
pub(crate) fn pull(models: &[Model], body: &Value) -> Reply {
    let known = models.is_empty() || find(models, named(body)).is_some();
    let layer = |completed: u64| {
        let short = DIGEST.get(..12).unwrap_or(DIGEST);
        let digest = format!("sha256:{DIGEST}");
        json!({"status": format!("pulling {short}"), "digest": digest, "total": BYTES, "completed": completed})
    };
    let status = |words: &str| json!({"status": words});
    let missing = json!({"error": "pull model manifest: file does not exist"});
    if !streams(Protocol::Ollama, body) {
        return if known { Reply::json(200, &status("success")) } else { Reply::json(500, &missing) };
    }
    let mut lines = vec![status("pulling manifest")];
    if known {
        lines.extend([0, BYTES / 2, BYTES].map(layer));
        lines.extend(["verifying sha256 digest", "writing manifest", "success"].map(status));
    } else {
        lines.push(missing);
    }
    Reply::stream("application/x-ndjson", lines.iter().map(Frame::line).collect())
}

fn find<'a>(models: &'a [Model], name: &str) -> Option<&'a Model> {
    models.iter().find(|model| model.is(Protocol::Ollama, name))
}

/// The field was called `name` once.
fn named(body: &Value) -> &str {
    match model(body) {
        "" => body.get("name").and_then(Value::as_str).unwrap_or_default(),
        name => name,
    }
}

fn details() -> Value {
    json!({
        "parent_model": "",
        "format": "gguf",
        "family": FAMILY,
        "families": [FAMILY],
        "parameter_size": "3.2B",
        "quantization_level": "Q4_K_M",
    })
}
