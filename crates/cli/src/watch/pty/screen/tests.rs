//! What the emulated screen tells.

use portable_pty::PtySize;
use throughline_watch::ScreenSign;

use super::{LOOK, ObservedScreen, paste};

fn screen(rows: u16, cols: u16) -> ObservedScreen {
    ObservedScreen::new(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }, &[])
}

#[test]
fn a_phrase_that_is_drawn_cell_by_cell_is_seen() {
    let mut screen = screen(24, 80);
    for piece in [&b"\x1b[2;1HCompacting c nversati n"[..], b"\x1b[2;13Ho\x1b[2;22H"] {
        assert_eq!(screen.feed(piece), None);
        assert_eq!(screen.settled(), [], "a piece is no wording");
    }
    screen.feed(b"o");
    assert_eq!(screen.rest(), [ScreenSign::Compaction("compacting conversation".to_owned())]);
    assert_eq!(screen.rest(), []);
}

#[test]
fn what_was_in_view_for_a_while_is_seen_before_it_is_drawn_over() {
    let mut screen = screen(24, 80);
    let sign = |pattern: &str| Some(ScreenSign::Compaction(pattern.to_owned()));
    assert_eq!(screen.feed(b"work"), None);
    // It was just looked at.
    assert_eq!(screen.feed(b"\x1b[HCompacting conversation"), None);
    std::thread::sleep(LOOK);
    assert_eq!(screen.feed(b"\x1b[2J\x1b[Hwork"), sign("compacting conversation"));
}

#[test]
fn no_output_and_no_size_ends_the_watch() {
    let mut screen = screen(0, 0);
    for bytes in [
        &b"\x1b[999999999;999999999H\x1b[9999999999999L\x1b[99999P\xff\xfe\x1b]0;"[..],
        b"\x1bP\x00",
        b"\x9b\x1b[?1049h",
    ] {
        screen.feed(bytes);
        screen.resize(PtySize { rows: 0, cols: 1, pixel_width: 0, pixel_height: 0 });
        screen.feed("wörter 漢字 👩‍👩‍👧".as_bytes());
        screen.resize(PtySize { rows: 200, cols: 300, pixel_width: 0, pixel_height: 0 });
    }
}

#[test]
fn only_a_program_that_asks_for_pastes_gets_one_and_it_cannot_leave_its_brackets() {
    let mut screen = screen(24, 80);
    assert!(!screen.takes_pastes());
    screen.feed(b"\x1b[?2004h");
    assert!(screen.takes_pastes() && !screen.is_quiet());
    let keys = paste("\n[Previous Session Context]\nrm -rf /\r\u{1b}[201~\u{9b}201~\u{3}x\n");
    assert_eq!(
        String::from_utf8(keys).unwrap(),
        "\u{1b}[200~[Previous Session Context]\nrm -rf /[201~201~x\u{1b}[201~"
    );
}
