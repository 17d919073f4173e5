//! The leaves of JSON inside a text.

use serde_json::Value;

use super::Pair;

/// A longer value is text.
const LONGEST: usize = 120;
/// A longer path is no key.
const LONGEST_KEY: usize = 80;

/// The leaves of the JSON document that begins with this line, and the byte behind it. Keys are the names on the way to a leaf,
/// with dots between them; of an object in a list the first name or id is used for its number.
pub(super) fn document(text: &str, at: usize, line: &str) -> Option<(usize, Vec<Pair>)> {
    let from = at + line.len() - line.trim_start().len();
    let rest = text.get(from..)?;
    if !rest.starts_with(['{', '[']) {
        return None;
    }
    let mut documents = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let document = documents.next()?.ok()?;
    let end = from + documents.byte_offset();
    let mut found = Vec::new();
    leaves(&document, &mut Vec::new(), &mut |key, value| {
        if !key.is_empty() && key.len() <= LONGEST_KEY && !value.is_empty() && value.len() <= LONGEST {
            found.push(Pair { key, value, at: from..end });
        }
    });
    (!found.is_empty()).then_some((end, found))
}

fn leaves(value: &Value, path: &mut Vec<String>, take: &mut dyn FnMut(String, String)) {
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                path.push(name.clone());
                leaves(inner, path, take);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                let name = item
                    .as_object()
                    .and_then(|map| ["id", "name", "key"].iter().find_map(|label| map.get(*label)?.as_str()));
                path.push(name.map_or_else(|| number.to_string(), str::to_owned));
                leaves(item, path, take);
                path.pop();
            }
        }
        Value::String(text) if !text.contains('\n') => take(path.join("."), text.clone()),
        Value::Number(number) => take(path.join("."), number.to_string()),
        _ => {}
    }
}
