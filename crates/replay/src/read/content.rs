//! Parts that several formats write in much the same way.

use serde_json::{Map, Value, json};
use throughline_conversation::{
    ContentBlock, Image, Millis, Thinking, ToolCall, Usage, has_context, is_agent_note,
};

/// The value behind a path of keys.
pub(super) fn get<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// A text by its key.
pub(super) fn text_of<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

/// A text by its key, as an owned value; empty if it is missing.
pub(super) fn owned(value: &Value, key: &str) -> String {
    text_of(value, key).unwrap_or_default().to_owned()
}

/// A time by its key: RFC 3339, or a number of seconds or milliseconds since 1970.
pub(super) fn time(value: &Value, key: &str) -> Option<Millis> {
    /// Seconds reach this in the year 5138, milliseconds in 1973.
    const SECONDS_END: f64 = 1e11;
    match value.get(key)? {
        Value::String(text) => Millis::from_rfc3339(text),
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| *number > 0.0)?;
            Some(Millis(if number < SECONDS_END { number * 1_000.0 } else { number }.round() as i64))
        }
        _ => None,
    }
}

/// Returns true if a flag is set.
pub(super) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or_default()
}

/// A count at a path of keys; 0 if it is missing.
pub(super) fn count(value: &Value, path: &[&str]) -> u64 {
    get(value, path).and_then(Value::as_u64).unwrap_or_default()
}

/// Usage where the prompt's tokens include those that were read from the cache and written to it; `None`: no prompt is recorded.
pub(super) fn usage_of_prompt(prompt: u64, read: u64, written: u64, output: u64) -> Option<Usage> {
    let cache_read = read.min(prompt);
    let cache_write = written.min(prompt - cache_read);
    let input = prompt - cache_read - cache_write;
    (prompt > 0).then_some(Usage { input, cache_read, cache_write, output, searches: 0 })
}

/// The elements of a list; none when it is no list.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A text block.
pub(super) fn text(text: impl Into<String>) -> ContentBlock {
    ContentBlock::Text { text: text.into() }
}

/// What the agent has written in the user's name, in the form of its other notes: it asks for nothing.
pub(super) fn note(said: &str) -> String {
    if is_agent_note(said) && !has_context(said) {
        return said.to_owned();
    }
    format!("<system-reminder>\n{said}\n</system-reminder>")
}

/// A thinking block; `None` when nothing of it was recorded.
pub(super) fn thinking(said: &str, signature: Option<&str>, redacted: Option<&str>) -> Option<ContentBlock> {
    let signature = signature.filter(|mark| !mark.is_empty()).map(str::to_owned);
    let redacted = redacted.map(str::to_owned);
    let recorded = !said.is_empty() || redacted.is_some();
    recorded.then(|| ContentBlock::Thinking(Thinking { text: said.to_owned(), signature, redacted }))
}

/// A call whose arguments may be recorded as JSON text, as other text, or not at all.
pub(super) fn call(id: String, name: String, arguments: Option<&Value>) -> ContentBlock {
    let input = match arguments {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(raw)) => match serde_json::from_str(raw) {
            Ok(value @ Value::Object(_)) => value,
            _ if raw.trim().is_empty() => Value::Object(Map::new()),
            _ => json!({ "input": raw }),
        },
        Some(value) => value.clone(),
    };
    ContentBlock::ToolCall(ToolCall { id, name, input })
}

/// Text and pictures of a content that is a text or a list of parts, and how many parts are of another kind.
pub(super) fn parts(content: Option<&Value>) -> (Vec<ContentBlock>, usize) {
    let mut other = 0;
    let blocks = match content {
        Some(Value::String(said)) => vec![text(said)],
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(|item| {
                let block = part(item);
                other += usize::from(block.is_none());
                block
            })
            .collect(),
        _ => Vec::new(),
    };
    (blocks, other)
}

fn part(item: &Value) -> Option<ContentBlock> {
    if let Value::String(said) = item {
        return Some(text(said));
    }
    match text_of(item, "type")? {
        "text" | "input_text" | "output_text" => Some(text(owned(item, "text"))),
        "image" => {
            // Anthropic's form has a source; the other has its fields at the block itself.
            let source = item.get("source").unwrap_or(item);
            let media =
                text_of(source, "media_type").or_else(|| text_of(source, "mimeType")).unwrap_or_default();
            let data = text_of(source, "data").unwrap_or_default();
            Some(image(media, data).unwrap_or_else(picture_left_out))
        }
        "image_url" => data_url(text_of(item.get("image_url")?, "url")?),
        "input_image" => data_url(text_of(item, "image_url")?),
        _ => None,
    }
}

/// The place of a picture whose bytes were not recorded.
pub(super) fn picture_left_out() -> ContentBlock {
    text("[a picture that was not recorded]")
}

fn image(media_type: &str, data: &str) -> Option<ContentBlock> {
    let picture = media_type.starts_with("image/") && !data.is_empty();
    picture.then(|| ContentBlock::Image(Image { media_type: media_type.to_owned(), data: data.to_owned() }))
}

/// A picture that is written into its own address: `data:image/png;base64,…`.
pub(super) fn data_url(url: &str) -> Option<ContentBlock> {
    let Image { media_type, data } = Image::from_data_url(url)?;
    image(&media_type, &data)
}

/// The text and the pictures of a tool's answer. Texts in a row stand one after the other, as the model saw them.
pub(super) fn answer(content: Option<&Value>) -> (String, Vec<Image>, usize) {
    let (blocks, other) = parts(content);
    let mut said = String::new();
    let mut images = Vec::new();
    for block in blocks {
        match block {
            ContentBlock::Text { text } => {
                if !said.is_empty() && !said.ends_with('\n') {
                    said.push('\n');
                }
                said.push_str(&text);
            }
            ContentBlock::Image(image) => images.push(image),
            _ => {}
        }
    }
    (said, images, other)
}
