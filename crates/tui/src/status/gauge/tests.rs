//! The line in its states.

use expect_test::expect;
use proptest::prelude::*;

use super::{bar, gauge};
use crate::palette::{ACCENT, MEMORY, WAIT};
use crate::port::StatusLine;

fn status(used: u64, cached: Option<u64>) -> StatusLine {
    StatusLine {
        context_tokens: Some(used),
        window_tokens: Some(184_000),
        compacts_at: Some(172_224),
        cached_percent: cached,
        ..StatusLine::default()
    }
}

#[test]
fn the_line_is_the_window() {
    let shown = |used, cached, columns| gauge(&status(used, cached), columns).text();
    let lines = [
        shown(69_879, Some(91), 120),
        shown(69_879, Some(91), 80),
        shown(69_879, Some(91), 60),
        shown(69_879, Some(91), 40),
        // Before the first answer all of it is paid in full; after a compaction most of it.
        shown(4_000, None, 80),
        shown(24_310, Some(18), 80),
        // Nearly full, due, and more than the window.
        shown(162_000, Some(97), 80),
        shown(173_000, Some(97), 80),
        shown(200_000, Some(97), 80),
        gauge(&StatusLine::default(), 20).text(),
    ];
    expect![[r#"
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╍╍╍╍╍─────────────────────────────────────────────── compacts at 172k ─┿───────
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━╍╍╍────────────────────────────────────────────┿─────
        ━━━━━━━━━━━━━━━━━━━━╍╍╍─────────────────────────────────┿───
        ━━━━━━━━━━━━━╍╍──────────────────────┿──
        ╍╍────────────────────────────────────────────────────────────────────────┿─────
        ━╍╍╍╍╍╍╍╍╍╍───────────────────────────────────────────────────────────────┿─────
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╍╍╍────┿─────
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╍╍┿─────
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┿━━╍╍╍
        ────────────────────"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn the_used_part_warns_near_the_mark() {
    let colours = |used| {
        let line = gauge(&status(used, Some(50)), 80);
        line.letters().filter_map(|letter| letter.style.fg).collect::<Vec<_>>()
    };
    assert_eq!(colours(69_879).first(), Some(&ACCENT));
    assert_eq!(colours(69_879).last(), Some(&MEMORY), "the mark is the only other colour");
    assert_eq!(colours(160_000).first(), Some(&WAIT));
}

#[test]
fn a_bar_is_on_the_scale_of_the_window() {
    assert_eq!(bar(168_204, 184_000, 20, MEMORY).text(), format!("{}──", "━".repeat(18)));
    assert_eq!(bar(1, 184_000, 4, MEMORY).text(), "━───");
    assert_eq!(bar(1, 0, 4, MEMORY).text(), "━━━━");
}

proptest! {
    #[test]
    fn the_line_is_as_wide_as_the_screen(
        used in 0_u64..400_000,
        window in proptest::option::of(0_u64..400_000),
        point in proptest::option::of(0_u64..400_000),
        cached in proptest::option::of(0_u64..120),
        columns in 1_usize..250,
    ) {
        let status = StatusLine {
            context_tokens: Some(used),
            window_tokens: window,
            compacts_at: point,
            cached_percent: cached,
            ..StatusLine::default()
        };
        prop_assert_eq!(gauge(&status, columns).width(), columns);
    }
}
