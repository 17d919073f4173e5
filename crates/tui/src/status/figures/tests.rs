//! The line of figures at several widths.

use expect_test::expect;

use super::{StatusPart, dollars_in_line, line, short_model, short_number};
use crate::port::StatusLine;

fn status() -> StatusLine {
    StatusLine {
        model: "anthropic/claude-sonnet-4-5".to_owned(),
        branch: Some("fix/last-line".to_owned()),
        mode: "ask".to_owned(),
        context_percent: Some(38),
        context_tokens: Some(69_879),
        window_tokens: Some(184_000),
        compacts_at: Some(172_224),
        cached_percent: Some(91),
        dollars: Some(0.84),
        ..StatusLine::default()
    }
}

fn shown(status: &StatusLine, columns: usize) -> String {
    let text = line(status, &StatusPart::USUAL, "", "", false, columns).text();
    assert!(crate::layout::width(&text) <= columns, "{text}");
    text
}

#[test]
fn less_room_shows_what_matters_more() {
    let lines = [120, 80, 60, 50, 40, 24, 16, 8].map(|columns| shown(&status(), columns));
    expect![[r#"
        ask  38% of 184k · compacts at 172k · 91% cached · $0.84                                      sonnet-4-5 · fix/last-line
        ask  38% of 184k · compacts at 172k · 91% cached · $0.84              sonnet-4-5
        ask  38% of 184k · compacts at 172k · 91% cached · $0.84
        ask  38% of 184k · 91% cached · $0.84
        ask  38% of 184k · 91% cached · $0.84
        ask  38% of 184k · $0.84
        ask  38% of 184k
        ask"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn each_state_of_the_window_has_its_words() {
    let used = |tokens: u64| StatusLine {
        context_tokens: Some(tokens),
        context_percent: Some(tokens * 100 / 184_000),
        ..status()
    };
    let lost = StatusLine { cache_lost: Some("idle over 11 min".to_owned()), ..status() };
    let unguarded = StatusLine { mode: "yolo".to_owned(), unguarded: true, ..status() };
    let unknown = StatusLine { dollars: None, price_unknown: true, cached_percent: None, ..status() };
    let lines = [used(162_000), used(173_000), lost, unguarded, unknown].map(|status| shown(&status, 80));
    expect![[r#"
        ask  88% of 184k · compacts in 10k · 91% cached · $0.84               sonnet-4-5
        ask  94% of 184k · compacts at the next message · 91% cached · $0.84  sonnet-4-5
        ask  38% of 184k · compacts at 172k · cache lost: idle over 11 min · $0.84
         YOLO   38% of 184k · compacts at 172k · 91% cached · $0.84           sonnet-4-5
        ask  38% of 184k · compacts at 172k · price unknown   sonnet-4-5 · fix/last-line"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_hint_replaces_the_model() {
    let text = line(&status(), &StatusPart::USUAL, "", "enter queues", false, 80).text();
    assert!(text.ends_with("enter queues") && !text.contains("sonnet"), "{text}");
}

#[test]
fn prices_are_rounded_and_say_what_they_are() {
    let status = StatusLine { dollars: Some(0.84), dollars_at_least: true, ..StatusLine::default() };
    assert_eq!(shown(&status, 80), "≥$0.84");
    let amounts =
        |at_least| [0.0, 0.003, 0.006, 12.3].map(|dollars| dollars_in_line(dollars, at_least)).join(" · ");
    assert_eq!(amounts(false), "$0.00 · <$0.01 · $0.01 · $12.30");
    assert_eq!(amounts(true), "price unknown · price unknown · ≥$0.01 · ≥$12.30");
}

#[test]
fn models_have_short_names() {
    let names =
        ["anthropic/claude-sonnet-4-5-20250929", "openai/gpt-5", "qwen3-30b-a3b", ""].map(short_model);
    assert_eq!(names, ["sonnet-4-5", "gpt-5", "qwen3-30b-a3b", ""]);
}

#[test]
fn numbers_are_short() {
    let shown = [0, 999, 1_000, 1_049, 9_949, 9_950, 112_345, 999_499, 999_500, 1_200_000].map(short_number);
    expect!["0 999 1.0k 1.0k 9.9k 10k 112k 999k 1.0M 1.2M"].assert_eq(&shown.join(" "));
}

#[test]
fn the_user_chooses_the_parts_and_the_modes_stay() {
    let own = StatusLine {
        folder: "~/work/a/very/long/way/down/to/the/ledger".to_owned(),
        effort: Some("high".to_owned()),
        command: Some("\u{1b}[31mred\u{1b}[0m  2 jobs\n".to_owned()),
        turn: crate::port::TurnCost { dollars: Some(0.03), at_least: true, cached_percent: None },
        title: "Fix the parser".to_owned(),
        ..status()
    };
    let parts = [
        StatusPart::Command,
        StatusPart::Cost,
        StatusPart::Turn,
        StatusPart::Folder,
        StatusPart::Model,
        StatusPart::Effort,
        StatusPart::Title,
    ];
    let shown = |columns: usize| {
        let text = line(&own, &parts, "NORMAL 2d", "", false, columns).text();
        assert!(crate::layout::width(&text) <= columns, "{text}");
        text
    };
    let lines = [140, 100, 60, 30, 16].map(shown);
    expect![[r#"
        ask  NORMAL 2d  red  2 jobs · $0.84 · turn ≥$0.03                   …long/way/down/to/the/ledger · sonnet-4-5 · effort high · Fix the parser
        ask  NORMAL 2d  red  2 jobs · $0.84 · turn ≥$0.03                           sonnet-4-5 · effort high
        ask  NORMAL 2d  red  2 jobs · $0.84 · turn ≥$0.03
        ask  NORMAL 2d  red  2 jobs
        ask  NORMAL 2d"#]].assert_eq(&lines.join("\n"));
    let alone = line(&status(), &[], "INSERT", "", false, 80).text();
    assert_eq!(alone, "ask  INSERT");
    let long = StatusLine { command: Some("x".repeat(200)), ..status() };
    let cut = line(&long, &[StatusPart::Command], "", "", false, 40).text();
    assert_eq!(crate::layout::width(&cut), 40, "{cut}");
}
