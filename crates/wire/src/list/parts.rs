//! Parts of messages of the user's side, in whatever API.

use serde_json::Value;
use throughline_conversation::{ContentBlock, Image, ToolResult};

/// A text by its key.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` is missing or no text"))
}

/// The elements of a list.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], String> {
    let found = value.get(key).and_then(Value::as_array);
    found.map(Vec::as_slice).ok_or_else(|| format!("`{key}` is missing or no list"))
}

/// Text and pictures of a content: a text, or a list of parts.
pub(super) fn content(content: &Value) -> Result<Vec<ContentBlock>, String> {
    match content {
        Value::String(text) => Ok(vec![ContentBlock::Text { text: text.clone() }]),
        Value::Array(parts) => parts.iter().map(part).collect(),
        Value::Null => Ok(Vec::new()),
        _ => Err("its content is neither a text nor a list".to_owned()),
    }
}

/// A text or a picture.
pub(super) fn part(part: &Value) -> Result<ContentBlock, String> {
    match text(part, "type")? {
        "text" | "input_text" | "output_text" => {
            Ok(ContentBlock::Text { text: text(part, "text")?.to_owned() })
        }
        "image" => {
            let source = part.get("source").unwrap_or(&Value::Null);
            let (media, data) = (text(source, "media_type")?, text(source, "data")?);
            Ok(ContentBlock::Image(Image { media_type: media.to_owned(), data: data.to_owned() }))
        }
        "image_url" => picture(text(part.get("image_url").unwrap_or(&Value::Null), "url")?),
        "input_image" => picture(text(part, "image_url")?),
        other => {
            Err(format!("a part of the type {other:?} cannot be taken; only texts and inline pictures can"))
        }
    }
}

fn picture(url: &str) -> Result<ContentBlock, String> {
    let image = Image::from_data_url(url);
    image
        .map(ContentBlock::Image)
        .ok_or_else(|| "a picture must be inline, as a data URL in base64".to_owned())
}

/// The result of a call. Texts in a row stand one after the other.
pub(super) fn result(call_id: &str, said: &Value, is_error: bool) -> Result<ToolResult, String> {
    let (mut text, mut images) = (String::new(), Vec::new());
    for block in content(said)? {
        match block {
            ContentBlock::Text { text: more } => {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(&more);
            }
            ContentBlock::Image(image) => images.push(image),
            _ => {}
        }
    }
    Ok(ToolResult { call_id: call_id.to_owned(), content: text, images, is_error })
}
