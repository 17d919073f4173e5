//! What is drawn of a text.

use super::paint::{Span, spans};
use super::{PICTURES, animation, svg};

fn span(class: &'static str, text: &str) -> Span {
    Span { class, text: text.to_owned() }
}

#[test]
fn the_pictures_are_those_of_their_texts() {
    let root = crate::tree::root().unwrap();
    for picture in PICTURES {
        let (file, svg) = picture.drawn(&root).unwrap();
        let found = std::fs::read_to_string(root.join(&file)).unwrap();
        assert!(found == svg, "`{file}` is not what its text gives: run `cargo xtask pictures`");
    }
}

#[test]
fn a_bar_has_a_colour_for_each_component() {
    let expected = [
        span("", "  "),
        span("dim", "▕"),
        span("system", "S"),
        span("tools", "TT"),
        span("talk", "█"),
        span("dim", "·▏"),
        span("", " 9%"),
    ];
    assert_eq!(spans("  ▕STT█·▏ 9%", 80), expected);
}

#[test]
fn a_long_line_is_cut_and_a_head_is_bright() {
    assert_eq!(spans("model   abcdef", 12), [span("model", "model   abc…")]);
    assert_eq!(spans("TOOL   CALLS", 80), [span("bright", "TOOL   CALLS")]);
    assert_eq!(spans("Read   3", 80), [span("", "Read   3")]);
}

#[test]
fn what_fits_does_not_move() {
    assert_eq!(animation::style(&["a", "b"], 2, 18), "");
    assert!(animation::style(&["a", "b"], 1, 18).contains("translateY(-18px)"));
}

#[test]
fn markup_in_a_text_is_text() {
    let svg = svg::draw("<b> & \"c\"\n", 3, "<d>");
    assert!(
        svg.contains("&lt;b&gt; &amp; &quot;c&quot;") && svg.contains("aria-label=\"&lt;d&gt;\""),
        "{svg}"
    );
}

#[test]
fn no_picture_is_too_large_for_a_page() {
    for picture in PICTURES {
        let (file, svg) = picture.drawn(&crate::tree::root().unwrap()).unwrap();
        assert!(svg.len() < 100_000, "{file}: {} bytes", svg.len());
    }
}
