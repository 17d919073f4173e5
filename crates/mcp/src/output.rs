//! Converts the result of a call to a tool output.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use throughline_conversation::Image;
use throughline_text::{cut_end, group_thousands};
use throughline_tools::{ToolOutput, base64_bytes, picture_in_base64, text_in_base64};

use crate::limits;

/// Converts the result of `tools/call`. Content that cannot be shown is described instead; nothing is dropped silently.
pub(crate) fn output(result: &Value) -> ToolOutput {
    let mut parts = OutputParts::default();
    let structured = result.get("structuredContent").filter(|value| !value.is_null());
    match result.get("content") {
        Some(Value::Array(blocks)) => blocks.iter().for_each(|block| parts.add(block)),
        None if structured.is_some() || result.is_null() || *result == json!({}) => {}
        // Not a valid result, but the model can still read it.
        _ => parts.texts.push(result.to_string()),
    }
    if let Some(structured) = structured {
        parts.add_structured(structured);
    }
    let is_error = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
    parts.finish(is_error)
}

#[derive(Default)]
struct OutputParts {
    texts: Vec<String>,
    images: Vec<Image>,
}

impl OutputParts {
    fn add(&mut self, block: &Value) {
        let text = |field: &str| block.get(field).and_then(Value::as_str);
        match text("type") {
            Some("text") => self.texts.push(text("text").unwrap_or_default().to_owned()),
            Some("image") => self.add_image(text("data").unwrap_or_default(), text("mimeType")),
            Some("audio") => {
                let data = text("data").unwrap_or_default();
                self.note(&format!("audio of {} bytes, {}", bytes_of(data), kind(text("mimeType"))));
                self.add_image(data, text("mimeType"));
            }
            Some("resource") => self.add_resource(block.get("resource").unwrap_or(&Value::Null)),
            Some("resource_link") => self.add_link(block),
            // An unknown kind of content, which the model can still read.
            _ => self.texts.push(block.to_string()),
        }
    }

    /// Adds a picture, or another file, unchanged. The engine checks each one before a model sees it, and stores those that cannot be
    /// shown.
    fn add_image(&mut self, data: &str, declared: Option<&str>) {
        let bare = || Image { media_type: kind(declared).to_owned(), data: data.to_owned() };
        self.images.push(Image::from_data_url(data).unwrap_or_else(bare));
    }

    fn add_resource(&mut self, resource: &Value) {
        let text = |field: &str| resource.get(field).and_then(Value::as_str);
        let uri = text("uri").unwrap_or("without a URI");
        match (text("text"), text("blob")) {
            (Some(body), _) => {
                self.texts.push(format!("[resource {uri}, {}]\n{body}", kind(text("mimeType"))));
            }
            (None, Some(blob)) if is_picture(blob, text("mimeType")) => {
                self.note(&format!("resource {uri}: a picture"));
                self.add_image(blob, text("mimeType"));
            }
            (None, Some(blob)) => match text_in_base64(blob) {
                Some(body) => {
                    self.texts.push(format!("[resource {uri}, {}]\n{body}", kind(text("mimeType"))));
                }
                None => {
                    self.note(&format!(
                        "resource {uri}, {}, {} bytes",
                        kind(text("mimeType")),
                        bytes_of(blob)
                    ));
                    self.add_image(blob, text("mimeType"));
                }
            },
            (None, None) => self.note(&format!("resource {uri}: it is empty")),
        }
    }

    fn add_link(&mut self, link: &Value) {
        let text = |field: &str| link.get(field).and_then(Value::as_str);
        let mut line = format!("[link to {}", text("uri").unwrap_or("a resource without a URI"));
        for part in [text("name"), text("mimeType"), text("description")].into_iter().flatten() {
            let _ = write!(line, ", {part}");
        }
        line.push(']');
        self.texts.push(line);
    }

    /// Adds structured content unless the texts contain it: servers should send it as text too.
    fn add_structured(&mut self, structured: &Value) {
        let same =
            |text: &String| serde_json::from_str::<Value>(text).is_ok_and(|value| value == *structured);
        if !self.texts.iter().any(same) && !self.texts_contain(structured) {
            self.texts.push(structured.to_string());
        }
    }

    /// Returns true if a small structure consists of strings that are all in the texts, so that only its field names would be
    /// new. Numbers, booleans and null mean something only with the name of their field.
    fn texts_contain(&self, structured: &Value) -> bool {
        /// Maximum number of values that are searched for.
        const MAX_VALUES: usize = 50;
        let mut values = Vec::new();
        let only_texts = texts(structured, &mut values);
        let contained = |value: &&str| self.texts.iter().any(|text| has_word(text, value));
        structured.as_object().is_some_and(Map::is_empty)
            || (only_texts && values.len() <= MAX_VALUES && values.iter().all(contained))
    }

    fn note(&mut self, what: &str) {
        self.texts.push(format!("[{what}]"));
    }

    fn finish(self, is_error: bool) -> ToolOutput {
        let mut text = self.texts.join("\n");
        if text.len() > limits::TEXT {
            let (all, shown) = (text.len() as u64, cut_end(&text, limits::TEXT).len());
            text.truncate(shown);
            let _ = write!(text, "\n[cut: the answer had {} bytes]", group_thousands(all));
        }
        if text.trim().is_empty() && (is_error || self.images.is_empty()) {
            let placeholder =
                if is_error { "The tool failed and gave no reason." } else { "[the answer is empty]" };
            placeholder.clone_into(&mut text);
        }
        ToolOutput { images: self.images, is_error, ..ToolOutput::text(text) }
    }
}

/// Collects the strings in a value. Returns true if it contains nothing else.
fn texts<'v>(value: &'v Value, found: &mut Vec<&'v str>) -> bool {
    match value {
        Value::Object(fields) => !fields.is_empty() && fields.values().all(|value| texts(value, found)),
        Value::Array(values) => !values.is_empty() && values.iter().all(|value| texts(value, found)),
        Value::String(text) => {
            found.push(text);
            !text.is_empty()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Returns true if a text contains another one at word boundaries.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(word).any(|(at, _)| {
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        let after = rest.strip_prefix(word).unwrap_or_default();
        let joined_before = is_letter(before.chars().next_back()) && is_letter(word.chars().next());
        let joined_after = is_letter(after.chars().next()) && is_letter(word.chars().next_back());
        !joined_before && !joined_after
    })
}

/// Returns true if a resource is a picture, by its bytes or by what its server calls it.
fn is_picture(blob: &str, declared: Option<&str>) -> bool {
    picture_in_base64(blob).is_some() || declared.is_some_and(|declared| declared.starts_with("image/"))
}

/// The number of bytes that a base64 text encodes.
fn bytes_of(data: &str) -> String {
    group_thousands(base64_bytes(data))
}

fn kind(mime: Option<&str>) -> &str {
    mime.unwrap_or("of an unknown type")
}

#[cfg(test)]
mod tests;
