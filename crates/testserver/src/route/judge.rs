//! What the validators say about a body.

use serde_json::Value;
use throughline_providers::models::{Known, ModelTable};
use throughline_wire::validate::{self, Alternation, WireFault};

use super::endpoint::Endpoint;
use crate::Demand;
use crate::wire::{Protocol, compaction};

/// Fields of a request to a model that a request for its size may not have.
const NOT_COUNTED: &[&str] = &["max_tokens", "stream"];

/// The rules that the body breaks, as `place: words`.
pub(super) fn faults(
    endpoint: &Endpoint,
    protocol: Protocol,
    model: &str,
    body: &Value,
    demands: &[Demand],
) -> Vec<String> {
    let mut found = match (endpoint, protocol) {
        (Endpoint::Generate, Protocol::Anthropic) => anthropic(body),
        (Endpoint::Generate, Protocol::Chat) => validate::openai_chat(body),
        (Endpoint::Generate, Protocol::Responses) | (Endpoint::CountInput, _) => {
            validate::openai_responses(body)
        }
        (Endpoint::Compact, _) => {
            let mut faults = compaction::unknown_fields(body);
            faults.extend(validate::openai_responses(body).iter().map(ToString::to_string));
            return faults;
        }
        (Endpoint::Generate, Protocol::Gemini | Protocol::CodeAssist) => validate::gemini(model, body),
        (Endpoint::CountContents, _) if body.is_null() => {
            return vec!["generateContentRequest: must be set".to_owned()];
        }
        (Endpoint::CountContents, _) => validate::gemini(model, body),
        (Endpoint::Generate, Protocol::Ollama) => validate::ollama(body),
        (Endpoint::CountMessages, _) => return counted(body),
        (Endpoint::Show | Endpoint::Pull, _) if !body.is_object() => {
            return vec!["the body must be a JSON object".to_owned()];
        }
        _ => return Vec::new(),
    };
    if (endpoint, protocol) == (&Endpoint::Generate, Protocol::Chat) {
        found.extend(demands.iter().flat_map(|demand| demand.faults(body)));
    }
    found.iter().map(ToString::to_string).collect()
}

/// The faults of a body for Anthropic, whose model is looked up by its name. Of one that is only a relative of a known model it is
/// not known which form of thinking it takes.
fn anthropic(body: &Value) -> Vec<WireFault> {
    let row =
        body.get("model").and_then(Value::as_str).map(|model| ModelTable::builtin().find("anthropic", model));
    let takes = row.filter(|row| row.known == Known::Exact).and_then(|row| row.thinking_form);
    validate::anthropic_with(body, Alternation::Strict, takes)
}

/// The body of a count has the rules of a message's, without a limit of output.
fn counted(body: &Value) -> Vec<String> {
    let mut whole = body.clone();
    let mut faults = Vec::new();
    if let Some(fields) = whole.as_object_mut() {
        for name in NOT_COUNTED {
            if fields.remove(*name).is_some() {
                faults.push(format!("{name}: Extra inputs are not permitted"));
            }
        }
        fields.insert("max_tokens".to_owned(), Value::from(u32::MAX));
    }
    faults.extend(anthropic(&whole).iter().map(ToString::to_string));
    faults
}
