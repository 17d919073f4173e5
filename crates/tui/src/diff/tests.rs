//! Differences of two texts.

use expect_test::{Expect, expect};

use super::{added, counts, unified};
use crate::line::Line;

fn check(old: &str, new: &str, expected: &Expect) {
    let lines: Vec<String> = unified(old, new).iter().map(Line::text).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn changed_lines_stand_between_equal_ones() {
    check("a\nb\nc\n", "a\nB\nc\nd\n", &expect!["  a\n- b\n+ B\n  c\n+ d"]);
    check("same\n", "same\n", &expect![""]);
    check("", "new\n", &expect!["+ new"]);
    check(
        "1\n2\n3\n4\n5\n6\n7\n8\n9\nx\n",
        "y\n1\n2\n3\n4\n5\n6\n7\n8\n9\nX\n",
        &expect![[r"
        + y
          1
          2
          3
          ⋯
          7
          8
          9
        - x
        + X"]],
    );
    assert_eq!(counts("a\nb\n", "a\nc\nd\n"), (2, 1));
    assert_eq!(added("a\nb").len(), 2);
}

#[test]
fn a_very_large_change_is_shown_as_a_whole() {
    let text = |letter: char| (0..1_000).map(|line| format!("{letter}{line}\n")).collect::<String>();
    assert_eq!(counts(&text('a'), &text('b')), (1_000, 1_000));
}

#[test]
fn far_changes_of_a_long_text_are_apart() {
    let text = |first: &str, last: &str| {
        let middle: String = (0..2_000).map(|line| format!("line {line}\n\n")).collect();
        format!("{first}{middle}{last}")
    };
    assert_eq!(counts(&text("a\n", "b\n"), &text("A\n", "b\nc\n")), (2, 1));
    let old: String = "x\nfoo\n".repeat(600);
    assert_eq!(counts(&old, &old.replace("foo", "bar")), (600, 600));
    let moved: Vec<String> = (0..1_200).map(|line| format!("{line}\n")).collect();
    let back = [moved.get(600..).unwrap(), moved.get(..600).unwrap()].concat().concat();
    assert_eq!(counts(&moved.concat(), &back), (600, 600));
}

#[test]
fn lines_have_the_numbers_of_their_file() {
    let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
    let new = "a\nb\nc\nd\nE1\nE2\nf\ng\nh\ni\n";
    let lines: Vec<String> = super::numbered(96, old, new).iter().map(Line::text).collect();
    assert_eq!(
        lines,
        [
            "      ⋯",
            " 97   b",
            " 98   c",
            " 99   d",
            "100 - e",
            "100 + E1",
            "101 + E2",
            "102   f",
            "103   g",
            "104   h"
        ]
    );
}
