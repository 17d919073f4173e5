//! A body as text, whatever it is written in.

use encoding_rs::{Encoding, UTF_8};
use reqwest::Url;

use crate::html::markdown;

/// What a body says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    Text(String),
    Binary,
}

/// So many bytes from the start decide what a body without a type is, and hold the encoding of a page.
const PROBE: usize = 1024;

/// Reads a body of this type, which came from there.
pub(crate) fn read(content_type: &str, body: &[u8], from: &Url) -> Reading {
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
        return Reading::Binary;
    }
    let (text, _, _) = encoding.unwrap_or(UTF_8).decode(body);
    Reading::Text(if html { markdown(&text, from) } else { text.into_owned() })
}

fn is_text(kind: &str) -> bool {
    const WORDS: [&str; 8] = ["json", "xml", "javascript", "ecmascript", "yaml", "toml", "sql", "graphql"];
    let word = |part: &str| WORDS.iter().any(|word| part.strip_prefix("x-").unwrap_or(part) == *word);
    kind.starts_with("text/")
        || kind
            .strip_prefix("application/")
            .is_some_and(|rest| rest.split(['+', '-']).any(word) || word(rest))
}

/// The encoding that a page names for itself.
fn meta_charset(start: &str) -> Option<&str> {
    let rest = start.split_once("charset=")?.1.trim_start_matches(['"', '\'', ' ']);
    rest.split(['"', '\'', ' ', ';', '>', '/']).next()
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::{Reading, read};

    fn reading(content_type: &str, body: &[u8]) -> Reading {
        read(content_type, body, &Url::parse("https://example.org/").unwrap())
    }

    fn text(content_type: &str, body: &[u8]) -> String {
        match reading(content_type, body) {
            Reading::Text(text) => text,
            Reading::Binary => panic!("{content_type}: it is text"),
        }
    }

    #[test]
    fn bodies_are_read_in_their_encoding() {
        assert_eq!(text("text/plain", "grün".as_bytes()), "grün");
        assert_eq!(text("text/plain; charset=\"iso-8859-1\"", b"gr\xfcn"), "grün");
        assert_eq!(text("text/html", b"<meta charset='windows-1252'>gr\xfcn"), "grün");
        assert_eq!(text("text/html", b"<meta content=\"text/html; charset=shift_jis\">\x93\xfa"), "日");
        assert_eq!(text("text/plain", b"\xff\xfea\0b\0"), "ab");
        assert_eq!(text("text/plain; charset=utf-16le", b"a\0b\0"), "ab");
        assert_eq!(text("text/plain; charset=nonsense", b"a\xff"), "a\u{fffd}");
    }

    #[test]
    fn types_decide_and_bodies_without_one_are_looked_at() {
        for kind in ["application/json", "application/ld+json", "image/svg+xml; x", "application/x-yaml", ""]
        {
            let expected =
                if kind.starts_with("image") { Reading::Binary } else { Reading::Text("{}".to_owned()) };
            assert_eq!(reading(kind, b"{}"), expected, "{kind}");
        }
        assert_eq!(text("", b"<!doctype html><p>a<p>b"), "a\n\nb");
        assert_eq!(text("application/octet-stream", b"fn main() {}"), "fn main() {}");
        for (kind, body) in [
            ("application/pdf", b"%PDF".as_slice()),
            ("image/png", b"png"),
            ("text/plain", b"a\0b"),
            ("", b"\xff\xd8\xff"),
            ("application/octet-stream", b"\x7fELF\x80"),
        ] {
            assert_eq!(reading(kind, body), Reading::Binary, "{kind}");
        }
    }
}
