//! Tests of decoding bodies.

use reqwest::Url;

use super::{Body, decode};

fn reading(content_type: &str, body: &[u8]) -> Body {
    decode(content_type, body, &Url::parse("https://example.org/").unwrap())
}

fn text(content_type: &str, body: &[u8]) -> String {
    match reading(content_type, body) {
        Body::Text(text) => text,
        Body::Binary => panic!("{content_type}: it is text"),
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
fn the_content_type_decides_and_without_one_the_body() {
    for kind in ["application/json", "application/ld+json", "image/svg+xml; x", "application/x-yaml", ""] {
        let expected = if kind.starts_with("image") { Body::Binary } else { Body::Text("{}".to_owned()) };
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
        assert_eq!(reading(kind, body), Body::Binary, "{kind}");
    }
}
