//! The messages as a model is shown them stay within bounds.

use expect_test::expect;
use proptest::prelude::*;
use throughline_testkit::{WordCounter, view};

use super::*;
use crate::testing::words;

fn request<T>(notation: &str, act: impl FnOnce(&SummaryRequest<'_>) -> T) -> T {
    let view = view(notation);
    let counter = &WordCounter;
    act(&SummaryRequest {
        entries: view.entries(),
        previous: None,
        budget: 10,
        prompt: "",
        counter,
        prefix: None,
        spending: None,
        checks: None,
    })
}

fn text(notation: &str, bytes: usize) -> String {
    request(notation, |request| request.text(bytes))
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

#[test]
fn a_block_is_cut_only_if_it_is_too_long() {
    assert_eq!(middle_out("abcdef", 6), "abcdef");
    assert_eq!(middle_out("abcdef", 5), "abcd [… cut …] f");
    assert_eq!(middle_out("abcdef", 0), " [… cut …] ");
}

#[test]
fn messages_from_the_middle_are_left_out_where_there_is_room_for_the_mark() {
    let mark = "\n[… messages left out …]\n";
    let notation: String = (0..9).map(|_| format!("user: {}\n", "a".repeat(99))).collect();
    let whole = text(&notation, 9_000);
    for bytes in [4 * mark.len() - 1, 40, 1, 0] {
        let cut = text(&notation, bytes);
        assert!(cut.len() == bytes && whole.ends_with(&cut), "{bytes}: {cut}");
    }
    for bytes in [4 * mark.len(), 300] {
        let cut = text(&notation, bytes);
        let (head, tail) = cut.split_once(mark).unwrap();
        assert_eq!((cut.len(), head.len()), (bytes, bytes / 3), "{cut}");
        assert!(whole.starts_with(head) && whole.ends_with(tail), "{cut}");
    }
}

#[test]
fn searches_are_shown_and_other_thinking_is_not() {
    let view = view("assistant: so\n  thinking: hm");
    let mut entries = view.entries().to_vec();
    let search = throughline_conversation::Thinking {
        text: "searched for rust".to_owned(),
        signature: Some("provider_item".to_owned()),
        redacted: None,
    };
    let mut message = entries.first().unwrap().message.as_ref().clone();
    message.content.push(ContentBlock::Thinking(search));
    entries.first_mut().unwrap().message = message.into();
    assert_eq!(render(&entries, 100), "[assistant]\nso\nsearched for rust\n");
}

/// The parts of messages with that many bytes each, by their sizes.
fn sizes(messages: &[usize], bytes: usize, most: usize) -> Vec<usize> {
    // The heading of a message and its line ends have 8 bytes.
    let notation: String = messages.iter().map(|size| format!("user: {}\n", "a".repeat(size - 8))).collect();
    let parts = request(&notation, |request| request.parts(bytes, most));
    for (part, next) in parts.iter().zip(parts.iter().skip(1)) {
        assert_eq!(part.ends_with('\n'), next.starts_with("[user]\n"), "a part ends where a message does");
    }
    parts.iter().map(String::len).collect()
}

#[test]
fn a_part_ends_where_a_message_ends_in_its_last_quarter() {
    for (messages, bytes, most, expected) in [
        ([1_000, 1_000, 1_000, 1_000], 4_000, 3, vec![4_000]),
        ([1_500, 1_500, 1_500, 1_500], 3_000, 1, vec![2_944]),
        ([1_500, 1_500, 1_500, 1_500], 3_000, 3, vec![3_000, 3_000]),
        ([1_200, 1_200, 1_200, 1_200], 3_000, 3, vec![2_400, 2_400]),
        ([1_125, 1_125, 1_125, 1_125], 3_000, 3, vec![2_250, 2_250]),
        ([1_124, 1_125, 1_125, 1_125], 3_000, 3, vec![3_000, 1_499]),
        ([1_500, 1_500, 1_500, 1_500], 2_000, 4, vec![1_500, 1_500, 1_500, 1_500]),
        ([1_500, 1_500, 1_500, 1_500], 2_000, 3, vec![2_000, 1_998, 370]),
    ] {
        assert_eq!(sizes(&messages, bytes, most), expected, "{messages:?}, {bytes}, {most}");
    }
}
