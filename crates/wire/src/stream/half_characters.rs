//! Characters that a server cut into two halves: as JSON escapes each half is an error by itself.

use std::borrow::Cow;

use throughline_text::escaped_unit;

/// Means half a character.
const REPLACEMENT: &str = "\\ufffd";

/// Repairs the escapes of one stream. A half at the end of a string waits for the other one, which comes at the begin of a string in
/// the next piece.
#[derive(Debug, Default)]
pub(crate) struct HalfCharacters {
    /// The escape of a first half that waits.
    waits: Option<String>,
}

impl HalfCharacters {
    /// The JSON text with whole characters. A half that no other one belongs to is shown as U+FFFD, or dropped where its other
    /// half does not come.
    pub(crate) fn joined<'t>(&mut self, json: &'t str) -> Cow<'t, str> {
        if self.waits.is_none() && !has_half(json) {
            return Cow::Borrowed(json);
        }
        let mut waits = self.waits.take();
        let mut out = String::with_capacity(json.len());
        let mut rest = json;
        while let Some(at) = rest.find('\\') {
            let (before, escape) = rest.split_at(at);
            out.push_str(before);
            let length = if escaped_unit(escape.as_bytes(), 0).is_some() { 6 } else { 2 };
            let (this, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
            rest = after;
            match escaped_unit(this.as_bytes(), 0) {
                Some(0xd800..=0xdbff)
                    if matches!(escaped_unit(after.as_bytes(), 0), Some(0xdc00..=0xdfff)) =>
                {
                    let (second, after) = after.split_at_checked(6).unwrap_or((after, ""));
                    out.push_str(this);
                    out.push_str(second);
                    rest = after;
                }
                Some(0xd800..=0xdbff) if after.starts_with('"') => self.waits = Some(this.to_owned()),
                Some(0xdc00..=0xdfff) if out.ends_with('"') => match waits.take() {
                    Some(first) => out.push_str(&format!("{first}{this}")),
                    None => out.push_str(REPLACEMENT),
                },
                Some(0xd800..=0xdfff) => out.push_str(REPLACEMENT),
                _ => out.push_str(this),
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}

/// Returns true if the text may have an escape of half a character.
fn has_half(json: &str) -> bool {
    ["\\ud", "\\uD"].iter().any(|escape| json.contains(escape))
}

#[cfg(test)]
mod tests;
