//! Why a request could not reuse the prompt cache of an earlier one (Anthropic documentation, "Cache diagnostics"; OpenAI
//! documentation, "Prompt caching diagnostics"): what is compared is the requests themselves, in the order of the prefix.

use serde_json::{Value, json};

use super::Protocol;
use crate::prompt_cache::MARKERS;

/// The name of the answer that a request is compared with. The inner `None`: it asks, and has none yet.
fn named(protocol: Protocol, body: &Value) -> Option<Option<&str>> {
    match protocol {
        Protocol::Anthropic => body.get("diagnostics")?.get("previous_message_id").map(Value::as_str),
        Protocol::Responses => {
            Some(body.get("prompt_cache_options")?.get("comparison_response_id")?.as_str())
        }
        _ => None,
    }
}

/// The field of the answer and its value. `earlier` finds the body that an answer was given to, by the number in its name.
pub(crate) fn diagnosis(
    protocol: Protocol,
    body: &Value,
    earlier: impl Fn(u64) -> Option<Value>,
) -> Option<(&'static str, Value)> {
    let name = named(protocol, body)?;
    let before = name.and_then(|name| name.rsplit('_').next()?.parse().ok()).and_then(earlier);
    let changed =
        before.as_ref().and_then(|before| Some((changed(before, body)?, before.to_string().len() / 4)));
    Some(match (protocol, name, &before, changed) {
        (Protocol::Anthropic, None, ..) | (Protocol::Anthropic, _, Some(_), None) => {
            ("diagnostics", Value::Null)
        }
        (Protocol::Anthropic, _, None, _) => {
            ("diagnostics", json!({"cache_miss_reason": {"type": "previous_message_not_found"}}))
        }
        (Protocol::Anthropic, _, _, Some((part, tokens))) => {
            let reason = json!({"type": format!("{part}_changed"), "cache_missed_input_tokens": tokens});
            ("diagnostics", json!({ "cache_miss_reason": reason }))
        }
        (_, _, None, _) => (OPENAI, json!({"type": "comparison_response_not_found"})),
        (_, _, _, None) => (OPENAI, json!({"type": "cache_hit"})),
        (_, _, _, Some((part, tokens))) => {
            let part = if matches!(part, "system" | "messages") { "input" } else { part };
            let reason = format!("{part}_changed");
            (OPENAI, json!({"type": "cache_miss", "reason": reason, "cache_missed_tokens": tokens}))
        }
    })
}

const OPENAI: &str = "prompt_cache_diagnostics";

/// The first part that differs. The last message of the earlier request may: what is behind a marker is not cached.
fn changed(before: &Value, after: &Value) -> Option<&'static str> {
    let parts = [("model", "model"), ("tools", "tools"), ("system", "system"), ("instructions", "system")];
    for (field, part) in parts {
        if plain(before.get(field)) != plain(after.get(field)) {
            return Some(part);
        }
    }
    for field in ["messages", "input"] {
        let list = |body: &Value| body.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
        let (old, new) = (list(before), list(after));
        let stays = old.len().saturating_sub(1);
        let same = |(old, new): (&Value, &Value)| plain(Some(old)) == plain(Some(new));
        if new.len() < stays || !old.iter().take(stays).zip(&new).all(same) {
            return Some("messages");
        }
    }
    None
}

/// A value without cache markers.
fn plain(value: Option<&Value>) -> Value {
    match value {
        Some(Value::Object(fields)) => {
            let fields = fields.iter().filter(|(name, _)| !MARKERS.contains(&name.as_str()));
            Value::Object(fields.map(|(name, value)| (name.clone(), plain(Some(value)))).collect())
        }
        Some(Value::Array(items)) => Value::Array(items.iter().map(|item| plain(Some(item))).collect()),
        other => other.cloned().unwrap_or_default(),
    }
}
