//! Words of a list, as every generator of clients reads them.

use serde_json::{Value, json};

/// Writes each choice of words as one list of them. Where each word has a description, it is derived as alternatives, of
/// which generated clients take the first alone.
pub(super) fn plain_choices(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(plain_choices),
        Value::Object(fields) => {
            if let Some((words, about)) = fields.get("oneOf").and_then(words) {
                fields.remove("oneOf");
                let before = fields.get("description").and_then(Value::as_str);
                let about = before.map_or(about.clone(), |before| format!("{before}\n\n{about}"));
                fields.insert("type".to_owned(), json!("string"));
                fields.insert("enum".to_owned(), json!(words));
                fields.insert("description".to_owned(), json!(about));
            }
            fields.values_mut().for_each(plain_choices);
        }
        _ => {}
    }
}

/// The words of alternatives that are one word each, or several, and a line about each.
fn words(alternatives: &Value) -> Option<(Vec<String>, String)> {
    let (mut words, mut about) = (Vec::new(), Vec::new());
    for one in alternatives.as_array()? {
        match (one.get("const").and_then(Value::as_str), one.get("enum").and_then(Value::as_array)) {
            (Some(word), _) => {
                let text = one.get("description").and_then(Value::as_str).unwrap_or_default();
                about.push(format!("- `{word}`: {text}"));
                words.push(word.to_owned());
            }
            (None, Some(several)) => words.extend(
                several.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?,
            ),
            (None, None) => return None,
        }
    }
    Some((words, about.join("\n")))
}

#[cfg(test)]
mod tests;
