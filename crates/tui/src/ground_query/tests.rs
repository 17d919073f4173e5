//! Answers of terminals.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Answers, keys, shade};
use crate::palette::Shade;

#[test]
fn the_ground_is_read_in_every_form_that_terminals_send() {
    for (text, expected) in [
        ("rgb:1616/1818/1d1d", Some(Shade::Dark)),
        ("rgb:ffff/ffff/ffff", Some(Shade::Light)),
        ("rgb:fd/f6/e3", Some(Shade::Light)),
        ("rgb:0/2/3", Some(Shade::Dark)),
        ("rgb:ffff/ffff", None),
        ("rgb:zz/00/00", None),
        ("", None),
    ] {
        assert_eq!(shade(text), expected, "{text}");
    }
}

#[test]
fn answers_end_with_the_fence_and_keys_stay() {
    let read = Answers::read(b"fi\x1b]11;rgb:0000/0000/0000\x1b\\x\x1b[?62;22c\r");
    assert_eq!((read.ground, read.is_complete), (Some(Shade::Dark), true));
    assert_eq!(read.rest, b"fix\r");
    // A terminal that knows no grounds answers the fence alone.
    let read = Answers::read(b"\x1b[?6c");
    assert_eq!((read.ground, read.is_complete, read.rest.len()), (None, true, 0));
    // Half an answer is not complete.
    assert!(!Answers::read(b"\x1b]11;rgb:0000/00").is_complete);
    let read = Answers::read(b"\x1b]11;rgb:ff/ff/ff\x07");
    assert_eq!((read.ground, read.is_complete), (Some(Shade::Light), false));
}

#[test]
fn typed_bytes_become_keys() {
    let key = |code, modifiers| KeyEvent::new(code, modifiers);
    assert_eq!(
        keys("ä\u{3}\r\u{1b}[A"),
        [
            key(KeyCode::Char('ä'), KeyModifiers::NONE),
            key(KeyCode::Char('c'), KeyModifiers::CONTROL),
            key(KeyCode::Enter, KeyModifiers::NONE),
        ]
    );
}
