//! The line of figures at several widths.

use expect_test::{Expect, expect};

use super::{line, short_number};
use crate::port::StatusLine;

fn check(columns: usize, expected: &Expect) {
    let status = StatusLine {
        model: "anthropic/claude-sonnet-4-5".to_owned(),
        branch: Some("feature/long-branch-name".to_owned()),
        mode: "default".to_owned(),
        context_percent: Some(43),
        context_tokens: Some(112_345),
        cached_percent: Some(96),
        dollars: Some(0.84),
        title: "a title".to_owned(),
    };
    let text = line(&status, "? for keys", columns).text();
    assert!(crate::layout::width(&text) <= columns, "{text}");
    expected.assert_eq(&text);
}

#[test]
fn less_room_shows_what_matters_more() {
    check(
        120,
        &expect![
            "anthropic/claude-sonnet-4-5 · feature/long-branch-name · default · context 43% · 112k · cached 96% · $0.84"
        ],
    );
    check(80, &expect![""]);
    check(60, &expect![""]);
    check(40, &expect![""]);
    check(20, &expect![""]);
    check(8, &expect![""]);
}

#[test]
fn numbers_are_short() {
    let shown = [0, 999, 1_000, 1_049, 9_949, 9_950, 112_345, 999_499, 999_500, 1_200_000].map(short_number);
    expect!["0 999 1.0k 1.0k 9.9k 10k 112k 999k 1.0M 1.2M"].assert_eq(&shown.join(" "));
}
