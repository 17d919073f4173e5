//! The messages as a model is shown them stay within bounds.

use expect_test::expect;
use proptest::prelude::*;
use throughline_testkit::{WordCounter, view};

use super::*;
use crate::testing::words;

fn text(notation: &str, bytes: usize) -> String {
    let view = view(notation);
    let counter = &WordCounter;
    SummaryRequest {
        entries: view.entries(),
        previous: None,
        budget: 10,
        prompt: "",
        counter,
        prefix: None,
        spending: None,
        checks: None,
    }
    .text(bytes)
}

#[test]
fn short_messages_are_shown_whole() {
    let notation = r#"
user: go
assistant: so
  thinking: hm
  -> c1 read {"path":"a.rs"}
results:
  c1 ! no such file
"#;
    expect![[r#"
        [user]
        go
        [assistant]
        so
        call read: {"path":"a.rs"}
        [results]
        result: failed: no such file
    "#]]
    .assert_eq(&text(notation, 1_000));
}

#[test]
fn long_blocks_are_cut_in_their_middle() {
    let notation = format!("user: {}\nassistant: short\nuser: {}", words(100), words(100));
    expect![[r#"
        [user]
        w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 w39 w40 w41 w42 w43 w44 w45 w46 w4 [… cut …] 77 w78 w79 w80 w81 w82 w83 w84 w85 w86 w87 w88 w89 w90 w91 w92 w93 w94 w95 w96 w97 w98 w99
        [assistant]
        short
        [user]
        w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 w39 w40 w41 w42 w43 w44 w45 w46 w4 [… cut …] 77 w78 w79 w80 w81 w82 w83 w84 w85 w86 w87 w88 w89 w90 w91 w92 w93 w94 w95 w96 w97 w98 w99
    "#]]
    .assert_eq(&text(&notation, 640));
}

proptest! {
    #[test]
    fn the_bound_is_kept(count in 1usize..30, long in 0usize..200, bytes in 0usize..3_000) {
        let notation: String =
            (0..count).map(|n| format!("user: {n} ü\u{1F600} {}\nassistant: x{n}\n", words(long))).collect();
        let text = text(&notation, bytes);
        prop_assert!(text.len() <= bytes);
    }

    // F-14
    #[test]
    fn parts_are_bounded_and_the_newest_is_there(
        count in 1usize..30, long in 0usize..400, bytes in 400usize..3_000, most in 1usize..7,
    ) {
        let notation: String =
            (0..count).map(|n| format!("user: {n} ü\u{1F600} {}\nassistant: x{n}\n", words(long))).collect();
        let view = view(&notation);
        let entries = view.entries();
        let request = SummaryRequest { entries, previous: None, budget: 10, prompt: "", counter: &WordCounter, prefix: None, spending: None, checks: None };
        let parts = request.parts(bytes, most);
        prop_assert!((1..=most).contains(&parts.len()));
        prop_assert!(parts.iter().all(|part| part.len() <= bytes && !part.is_empty()));
        let newest = format!("x{}\n", count - 1);
        prop_assert!(parts.last().is_some_and(|part| part.ends_with(&newest)), "{:?}", parts.last());
        let whole = request.text(usize::MAX / 2);
        if whole.len() <= bytes * most * 3 / 4 {
            prop_assert_eq!(parts.concat(), whole);
        }
    }
}
