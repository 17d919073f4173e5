//! Lines, and parts of long ones.

use super::{excerpt, line_ends, lines};

fn split(bytes: &[u8]) -> Vec<(u64, usize, &[u8])> {
    lines(bytes).map(|line| (line.number, line.at, line.bytes)).collect()
}

#[test]
fn lines_have_numbers_and_places() {
    assert_eq!(split(b"a\r\n\nbc"), [(1, 0, &b"a"[..]), (2, 3, b""), (3, 4, b"bc")]);
    assert_eq!(split(b"a\n"), [(1, 0, &b"a"[..])]);
    assert_eq!(split(b""), []);
    assert_eq!(line_ends(b"a\n\nb"), 2);
}

#[test]
fn a_line_that_fits_is_whole() {
    assert_eq!(excerpt("naïve".as_bytes(), 3, 6).text, "naïve");
    assert_eq!(excerpt(b"", 0, 6).text, "");
}

#[test]
fn a_long_line_is_cut_around_the_focus_between_characters() {
    let line = "日".repeat(10) + "X" + &"本".repeat(10);
    let part = excerpt(line.as_bytes(), 30, 20);
    assert_eq!(part.text, "…日X本本本本本…");
    assert_eq!(part.end, 27 + 3 + 1 + 15);
    assert_eq!(excerpt(line.as_bytes(), 0, 7).text, "日日…");
    assert_eq!(excerpt(b"abcdefgh", 8, 4).text, "…h");
}
