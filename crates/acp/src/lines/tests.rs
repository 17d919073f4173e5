//! Lines of any bytes.

use std::io::Cursor;

use super::*;

fn all(bytes: &[u8], longest: u64) -> Vec<String> {
    let mut reader = Cursor::new(bytes);
    let mut lines = Vec::new();
    while let Some(line) = next_line(&mut reader, longest).unwrap() {
        lines.push(line);
    }
    lines
}

#[test]
fn blank_lines_are_skipped_and_the_last_line_needs_no_end() {
    assert_eq!(all(b"{}\r\n\n  \n[]", 100), ["{}", "[]"]);
    assert!(all(b"", 100).is_empty());
}

#[test]
fn what_is_no_utf8_or_too_long_is_replaced_by_what_is_no_json() {
    assert_eq!(all(b"a\xffb\n{}\n", 100), ["a line that is no UTF-8 at byte 1", "{}"]);
    assert_eq!(all(b"0123456789\n{}\n", 8), ["a line of more than 8 bytes", "{}"]);
    // The end of a line of exactly the most bytes.
    assert_eq!(all(b"0123456\n{}\n", 8), ["0123456", "{}"]);
}
