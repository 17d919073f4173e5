//! Arguments that are JSON but for a slip that leaves no doubt about what was meant.

use serde_json::{Map, Value};
use throughline_text::without_fence;

/// Reads an object that is written with raw line ends or tabs in its texts, with a comma behind its last field, as a text of JSON
/// once more, in a fence of code, or with a bracket or a mark of the model's template behind it.
///
/// `None` for anything else. Wrong escapes are not read: `"C:\dir\new"` has one that is wrong and one that is right, and which of
/// them was meant is not known. Nothing is added, so that a text that was cut off stays one.
pub(super) fn read(text: &str) -> Option<Map<String, Value>> {
    let text = without_fence(text);
    if text.starts_with('"') {
        let inner: String = serde_json::from_str(text).ok()?;
        return object(&inner);
    }
    object(text)
}

fn object(text: &str) -> Option<Map<String, Value>> {
    let mut cleaned = String::with_capacity(text.len());
    let (mut depth, mut in_text, mut escaped) = (0_u32, false, false);
    for (at, letter) in text.char_indices() {
        let behind = text.get(at + letter.len_utf8()..)?;
        if in_text {
            match letter {
                '\u{0}'..'\u{20}' if !escaped => cleaned.push_str(&format!("\\u{:04x}", u32::from(letter))),
                _ => cleaned.push(letter),
            }
            in_text = letter != '"' || escaped;
            escaped = letter == '\\' && !escaped;
            continue;
        }
        match letter {
            '"' => in_text = true,
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.checked_sub(1)?,
            ',' if behind.trim_start().starts_with(['}', ']']) => continue,
            _ => {}
        }
        cleaned.push(letter);
        if depth == 0 {
            return is_stray(behind).then(|| serde_json::from_str(&cleaned).ok())?;
        }
    }
    None
}

/// Returns true if nothing but brackets that close nothing, or one mark of a template, follows.
fn is_stray(behind: &str) -> bool {
    let behind = behind.trim();
    let is_mark = || {
        let mark = behind.strip_prefix('<').and_then(|mark| mark.strip_suffix('>'));
        mark.is_some_and(|mark| mark.starts_with(['|', '/']) && !mark.contains(['<', '>', '"', '{']))
    };
    behind.chars().all(|letter| matches!(letter, '}' | ']')) || is_mark()
}

#[cfg(test)]
mod tests;
