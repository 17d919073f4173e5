//! The rules of single contents and parts.

use serde_json::Value;

use crate::validate::body::{Faults, is_base64, items, text};

/// Fields of which a part has exactly one (Gemini API reference, "Part").
const DATA: &[&str] = &[
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
];

/// Checks each content by itself.
pub(super) fn check(contents: &[Value], faults: &mut Faults) {
    for (index, content) in contents.iter().enumerate() {
        let path = format!("contents[{index}]");
        let role = text(content, "role").unwrap_or_default();
        faults.unless(
            matches!(role, "user" | "model"),
            format!("{path}.role"),
            "Please use a valid role: user, model.",
        );
        let parts = items(content, "parts");
        faults.unless(!parts.is_empty(), format!("{path}.parts"), "contents.parts must not be empty");
        for (at, part) in parts.iter().enumerate() {
            self::part(&format!("{path}.parts[{at}]"), role, part, faults);
        }
    }
}

fn part(path: &str, role: &str, part: &Value, faults: &mut Faults) {
    let data: Vec<&str> = DATA.iter().copied().filter(|name| part.get(name).is_some()).collect();
    let [kind] = data.as_slice() else {
        faults.add(path, "required oneof field 'data' must have one initialized field");
        return;
    };
    let path = format!("{path}.{kind}");
    let value = part.get(kind).unwrap_or(&Value::Null);
    match *kind {
        "text" => {
            // A signature may stand on a text without words.
            let signed = part.get("thoughtSignature").is_some();
            let said = value.as_str().is_some_and(|text| signed || !text.trim().is_empty());
            faults.unless(said, path, "must be a text that is not empty");
        }
        "inlineData" => {
            let typed = text(value, "mimeType").is_some_and(|name| name.contains('/'));
            faults.unless(typed, format!("{path}.mimeType"), "must be a media type");
            let bytes = text(value, "data").is_some_and(is_base64);
            faults.unless(bytes, format!("{path}.data"), "Base64 decoding failed");
        }
        "functionCall" => {
            faults.unless(role == "model", path.clone(), "belongs to contents of role 'model' alone");
            named(&path, value, faults);
            let object = value.get("args").is_none_or(Value::is_object);
            faults.unless(object, format!("{path}.args"), "must be an object");
        }
        "functionResponse" => {
            faults.unless(role == "user", path.clone(), "belongs to contents of role 'user' alone");
            named(&path, value, faults);
            let object = value.get("response").is_some_and(Value::is_object);
            faults.unless(object, format!("{path}.response"), "must be an object");
        }
        _ => {}
    }
}

fn named(path: &str, value: &Value, faults: &mut Faults) {
    let named = text(value, "name").is_some_and(|name| !name.trim().is_empty());
    faults.unless(named, format!("{path}.name"), "Name cannot be empty.");
}
