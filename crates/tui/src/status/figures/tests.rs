//! The line of figures at several widths.

use expect_test::expect;

use super::{line, short_number};
use crate::port::StatusLine;

#[test]
fn less_room_shows_what_matters_more() {
    let status = StatusLine {
        model: "anthropic/claude-sonnet-4-5".to_owned(),
        branch: Some("feature/long-branch-name".to_owned()),
        mode: "default".to_owned(),
        unguarded: false,
        context_percent: Some(43),
        until_compaction: Some(55),
        context_tokens: Some(112_345),
        cached_percent: Some(96),
        dollars: Some(0.84),
        dollars_at_least: false,
        title: "a title".to_owned(),
    };
    let mut shown = Vec::new();
    for columns in [120, 100, 80, 60, 40, 20, 8] {
        let text = line(&status, "? for keys", columns).text();
        assert!(crate::layout::width(&text) <= columns, "{text}");
        shown.push(text);
    }
    expect![[r#"
        anthropic/claude-sonnet-4-5 · feature/long-… · default · context 43% · 55% until compaction · 112k · cached 96% · $0.84
        claude-sonnet-4-5 · feature/long-… · default · context 43% · 55% left · 112k · cached 96% · $0.84
        claude-sonnet-4-5 · feature/long-… · default · 43% used · 55% left · $0.84
        claude-sonnet-4-5 · default · 43% used · 55% left · $0.84
        claude-sonnet-4-5 · default · 43% used
        43% used
        43% used"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn a_price_that_is_not_all_of_it_says_so() {
    let status = StatusLine { dollars: Some(0.84), dollars_at_least: true, ..StatusLine::default() };
    assert_eq!(line(&status, "", 80).text(), "≥$0.84");
}

#[test]
fn numbers_are_short() {
    let shown = [0, 999, 1_000, 1_049, 9_949, 9_950, 112_345, 999_499, 999_500, 1_200_000].map(short_number);
    expect!["0 999 1.0k 1.0k 9.9k 10k 112k 999k 1.0M 1.2M"].assert_eq(&shown.join(" "));
}

#[test]
fn the_line_says_how_far_the_next_compaction_is() {
    let status = |percent| StatusLine {
        model: "anthropic/claude-sonnet-4-5".to_owned(),
        context_percent: Some(31),
        until_compaction: Some(percent),
        ..StatusLine::default()
    };
    let shown = |percent, columns| line(&status(percent), "", columns).text();
    assert_eq!(shown(48, 80), "anthropic/claude-sonnet-4-5 · context 31% · 48% until compaction");
    assert_eq!(shown(48, 56), "anthropic/claude-sonnet-4-5 · context 31% · 48% left");
    assert_eq!(shown(0, 80), "anthropic/claude-sonnet-4-5 · context 31% · compacts at the next message");
}
