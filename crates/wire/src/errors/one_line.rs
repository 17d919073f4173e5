//! Sanitizes a provider's error text for messages.

use throughline_text::cut_end;

/// Maximum bytes of a provider's words in one message.
const MAX_BYTES: usize = 500;

/// Minimum length of a text that is treated as a key.
const KEY: usize = 12;

/// The text as one line without control characters, not too long, and with keys left out: gateways like to quote
/// the key that they refuse.
#[must_use]
pub fn one_line(text: &str) -> String {
    // Text beyond the result's limit is not read; a key that is cut in two must not slip through.
    let head = cut_end(text, MAX_BYTES * 8);
    let plain: String = head.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let mut line = String::new();
    let mut secret = false;
    for word in plain.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        if secret && word.len() >= KEY {
            line.push_str("[key]");
        } else {
            line.push_str(&without_keys(word));
        }
        secret = word.to_ascii_lowercase().trim_start_matches(['"', '\'']).starts_with("bearer");
    }
    if line.len() > MAX_BYTES {
        line.truncate(cut_end(&line, MAX_BYTES).len());
        line.push('…');
    }
    line
}

/// Keys of the providers begin with `sk-`, those of gateways often do.
fn without_keys(word: &str) -> String {
    let part_of_key =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '*' | '.');
    let mut out = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once("sk-") {
        let end = after.find(|letter: char| !part_of_key(letter)).unwrap_or(after.len());
        let starts = before.chars().next_back().is_none_or(|letter| !letter.is_ascii_alphanumeric());
        let (key, behind) = after.split_at_checked(end).unwrap_or((after, ""));
        out.push_str(before);
        if starts && key.len() + 3 >= KEY {
            out.push_str("[key]");
        } else {
            out.push_str("sk-");
            out.push_str(key);
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}
