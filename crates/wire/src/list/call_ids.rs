//! Where the items of a list have the ids of their calls and results.

use serde_json::{Map, Value};

use super::role;
use crate::wire::Wire;

/// The object that has an id, and the key of it.
type Slot<'a> = (&'a mut Map<String, Value>, &'static str);

impl Wire {
    /// Gives the calls and results of the items of one message these ids, in order and unaltered. An encoder needs ids that are
    /// unique and in the form of its API; a caller's list has its own. Gemini's calls and results have no id where it is empty.
    pub fn set_call_ids<'i>(self, items: &mut [Value], ids: impl IntoIterator<Item = &'i str>) {
        let slots = items.iter_mut().flat_map(|item| slots(self, item));
        for ((object, key), id) in slots.zip(ids) {
            if id.is_empty() && self == Self::Gemini {
                object.remove(key);
            } else {
                object.insert(key.to_owned(), id.into());
            }
        }
    }

    /// Takes the ids out of an item of the model and gives its calls such as are unique, because an answer is read with unique ids
    /// alone. A call without an id has an empty one.
    pub(super) fn take_call_ids(self, item: &mut Value) -> Vec<String> {
        let mut ids = Vec::new();
        for (object, key) in slots(self, item) {
            let unique = format!("call_{}", ids.len());
            let id = object.insert(key.to_owned(), unique.into());
            ids.push(id.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned());
        }
        ids
    }
}

/// The ids of an item: those of its calls, or those of its results.
fn slots(wire: Wire, item: &mut Value) -> Vec<Slot<'_>> {
    match wire {
        Wire::Anthropic => inner(item, "content").filter_map(block).collect(),
        Wire::OpenAiChat | Wire::Ollama if role(item) == Some("tool") => {
            item.as_object_mut().map(|item| (item, "tool_call_id")).into_iter().collect()
        }
        Wire::OpenAiChat | Wire::Ollama => {
            inner(item, "tool_calls").filter_map(|call| Some((call.as_object_mut()?, "id"))).collect()
        }
        Wire::OpenAiResponses => match item.get("type").and_then(Value::as_str) {
            Some("function_call" | "function_call_output") => {
                item.as_object_mut().map(|item| (item, "call_id")).into_iter().collect()
            }
            _ => Vec::new(),
        },
        Wire::Gemini => inner(item, "parts").filter_map(part).collect(),
    }
}

fn inner<'a>(item: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    item.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}

fn block(block: &mut Value) -> Option<Slot<'_>> {
    let key = match block.get("type").and_then(Value::as_str)? {
        "tool_use" => "id",
        "tool_result" => "tool_use_id",
        _ => return None,
    };
    Some((block.as_object_mut()?, key))
}

fn part(part: &mut Value) -> Option<Slot<'_>> {
    let name = ["functionCall", "functionResponse"].into_iter().find(|name| part.get(name).is_some())?;
    Some((part.get_mut(name)?.as_object_mut()?, "id"))
}
