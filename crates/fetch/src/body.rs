//! Decodes the body of a response to text.

use encoding_rs::{Encoding, UTF_8};
use reqwest::Url;

use crate::html::markdown;

/// A decoded body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Text(String),
    Binary,
}

/// Number of leading bytes that decide the type of a body without one, and that are searched for the encoding of a page.
const PROBE: usize = 1024;

/// Decodes a body with this content type. `url` is the base of its relative links.
pub(crate) fn decode(content_type: &str, body: &[u8], url: &Url) -> Body {
    let mut parts = content_type.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default();
    let named =
        parts.find_map(|part| part.strip_prefix("charset=")).map(|label| label.trim_matches(['"', '\'']));
    let start = body.get(..PROBE.min(body.len())).unwrap_or_default();
    let start_text = String::from_utf8_lossy(start).to_ascii_lowercase();
    let unknown = matches!(kind, "" | "application/octet-stream" | "binary/octet-stream");
    let html = matches!(kind, "text/html" | "application/xhtml+xml")
        || kind.is_empty() && ["<!doctype html", "<html"].iter().any(|mark| start_text.contains(mark));
    let encoding = named
        .or_else(|| html.then(|| meta_charset(&start_text)).flatten())
        .and_then(|label| Encoding::for_label(label.as_bytes()));
    let zeros = start.contains(&0)
        && Encoding::for_bom(body).is_none()
        && encoding.is_none_or(Encoding::is_ascii_compatible);
    let guessed = unknown && std::str::from_utf8(body).is_ok();
    if zeros || !(html || is_text(kind) || guessed) {
        return Body::Binary;
    }
    let (text, _, _) = encoding.unwrap_or(UTF_8).decode(body);
    Body::Text(if html { markdown(&text, url) } else { text.into_owned() })
}

fn is_text(kind: &str) -> bool {
    const WORDS: [&str; 8] = ["json", "xml", "javascript", "ecmascript", "yaml", "toml", "sql", "graphql"];
    let word = |part: &str| WORDS.iter().any(|word| part.strip_prefix("x-").unwrap_or(part) == *word);
    kind.starts_with("text/")
        || kind
            .strip_prefix("application/")
            .is_some_and(|rest| rest.split(['+', '-']).any(word) || word(rest))
}

/// The encoding that a page declares.
fn meta_charset(start: &str) -> Option<&str> {
    let rest = start.split_once("charset=")?.1.trim_start_matches(['"', '\'', ' ']);
    rest.split(['"', '\'', ' ', ';', '>', '/']).next()
}

#[cfg(test)]
mod tests;
