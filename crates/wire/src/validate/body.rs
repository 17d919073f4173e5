//! Reading a body of unknown form, and collecting what is wrong with it.

use serde_json::Value;
use throughline_conversation::Image;

use super::fault::WireFault;

/// The faults found so far.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) found: Vec<WireFault>,
}

impl Faults {
    /// Collects the faults of a body by `check`, which may rely on it being an object.
    pub(crate) fn of(body: &Value, check: impl FnOnce(&mut Self)) -> Vec<WireFault> {
        let mut faults = Self::default();
        if body.is_object() {
            check(&mut faults);
        } else {
            faults.add("", "the body must be a JSON object");
        }
        faults.found
    }

    /// A fault at a place.
    pub(crate) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(WireFault { path: path.into(), message: message.into() });
    }

    /// A fault unless the rule holds.
    pub(crate) fn unless(&mut self, holds: bool, path: impl Into<String>, message: impl Into<String>) {
        if !holds {
            self.add(path, message);
        }
    }
}

/// A field that is a string.
pub(crate) fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).and_then(Value::as_str)
}

/// A field's items when it is a list; none otherwise.
pub(crate) fn items<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns true if a name is 1 to `most` letters, digits, `_` or `-`.
pub(crate) fn is_plain(name: &str, most: usize) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !name.is_empty() && name.len() <= most && name.bytes().all(plain)
}

/// Returns true if there is data, and it is base64 in the standard alphabet, padded.
pub(crate) fn is_base64(data: &str) -> bool {
    !data.is_empty() && Image::is_base64(data)
}

/// Formats of pictures that both APIs take.
pub(crate) fn is_picture(media_type: &str) -> bool {
    ["image/jpeg", "image/png", "image/gif", "image/webp"].contains(&media_type)
}
