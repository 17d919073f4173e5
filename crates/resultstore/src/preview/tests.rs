//! Previews, letter by letter.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_conversation::ResultRef;

use super::{bounded, preview, preview_reference};
use crate::lossy::tests::hostile;
use crate::policy::{OffloadPolicy, PreviewFormat};

fn shown(policy: &OffloadPolicy, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    preview(policy, "shell_exec", &ResultRef::from_text("abc-123"), bytes, &text)
}

fn head_tail(head_bytes: usize, tail_bytes: usize, error_lines: usize) -> OffloadPolicy {
    let format = PreviewFormat::HeadTail;
    OffloadPolicy {
        threshold_bytes: 100,
        read_threshold_bytes: 0,
        head_bytes,
        tail_bytes,
        error_lines,
        name_bytes: 0,
        format,
    }
}

fn check(policy: &OffloadPolicy, content: &str, after: &Expect) {
    after.assert_eq(&shown(policy, content.as_bytes()));
}

// S3-09
#[test]
fn the_seed_format() {
    let start = "go: downloading github.com/stretchr/testify v1.9.0";
    let content = format!("{start}\n{}", "x".repeat(48_231 - start.len() - 1));
    let expected = format!(
        "[Tool result stored — 48,231 bytes from \"shell_exec\".\nFirst 200 chars: {start}\n{}...]\n\
         Use the \"read_result\" tool with ref_id=\"abc-123\" to read specific portions.",
        "x".repeat(200 - start.len() - 1)
    );
    assert_eq!(shown(&OffloadPolicy::seed(), content.as_bytes()), expected);
}

// S3-09
#[test]
fn the_seed_format_counts_characters_and_not_bytes() {
    let text = shown(&OffloadPolicy::seed(), "日".repeat(5_000).as_bytes());
    assert_eq!(text.matches('日').count(), 200);
    assert!(text.starts_with("[Tool result stored — 15,000 bytes"));
}

#[test]
fn head_error_lines_and_tail() {
    let mut content = String::new();
    for number in 1..=40 {
        let line = match number {
            17 => "error: cannot find `x`".to_owned(),
            23 => "warning: unused `y`".to_owned(),
            _ => format!("line {number} of the build"),
        };
        content.push_str(&line);
        content.push('\n');
    }
    check(
        &head_tail(60, 50, 4),
        &content,
        &expect![[r#"
            [Tool result stored — 832 bytes from "shell_exec".
            line 1 of the build
            line 2 of the build
            line 3 of the build
            [… 730 bytes, 35 lines not shown from offset 60; lines that look like errors:]
            17: error: cannot find `x`
            23: warning: unused `y`
            […]
            line 39 of the build
            line 40 of the build
            ]
            Use the "read_result" tool with ref_id="abc-123" to read specific portions."#]],
    );
    check(
        &head_tail(60, 0, 1),
        &content,
        &expect![[r#"
            [Tool result stored — 832 bytes from "shell_exec".
            line 1 of the build
            line 2 of the build
            line 3 of the build
            [… 772 bytes, 37 lines not shown from offset 60; 1 of 2 lines that look like errors:]
            17: error: cannot find `x`
            […]
            ]
            Use the "read_result" tool with ref_id="abc-123" to read specific portions."#]],
    );
}

#[test]
fn one_long_line_is_cut_between_characters() {
    check(
        &head_tail(10, 10, 4),
        &"日本".repeat(100),
        &expect![[r#"
        [Tool result stored — 600 bytes from "shell_exec".
        日本日
        [… 582 bytes, 1 line not shown from offset 9]
        本日本
        ]
        Use the "read_result" tool with ref_id="abc-123" to read specific portions."#]],
    );
}

#[test]
fn bytes_that_are_no_text_are_said_to_be_so() {
    let bytes = [&b"\xff\xfe"[..], &[0x41; 400]].concat();
    assert!(shown(&head_tail(50, 50, 4), &bytes).contains("Not UTF-8: shown with replacement characters"));
    assert!(shown(&OffloadPolicy::seed(), &bytes).contains("First 200 chars (not UTF-8"));
}

#[test]
fn what_could_not_be_stored_is_bounded_and_says_so() {
    let content: String = (1..=400).map(|number| format!("line {number}\n")).collect();
    let text = bounded(content.as_bytes(), content.clone(), 260);
    expect![[r#"
        line 1
        line 2
        line 3
        line 4
        line 5
        [… 3,439 bytes, 393 lines not shown: they could not be stored and are lost; to see them, call the tool again for a smaller part]
        line 399
        line 400
    "#]]
    .assert_eq(&text);
    assert_eq!(bounded(b"short", "short".to_owned(), 5), "short");
}

proptest! {
    #[test]
    fn previews_stay_within_their_sizes(bytes in hostile(), head in 0_usize..80, tail in 0_usize..80, most in 0_usize..3) {
        let text = shown(&head_tail(head, tail, most), &bytes);
        prop_assert!(text.len() <= head + tail + most * 215 + 330, "{} bytes: {}", text.len(), text);
        prop_assert!(text.starts_with("[Tool result stored — "));
        prop_assert!(text.ends_with("to read specific portions."));
    }

    #[test]
    fn bounded_results_stay_within_the_limit(bytes in hostile(), limit in 220_usize..400) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        prop_assert!(bounded(&bytes, text, limit).len() <= limit);
    }
}

// S3-09
#[test]
fn names_that_only_the_middle_has_are_listed_by_their_places() {
    let policy = OffloadPolicy { name_bytes: 40, ..head_tail(30, 30, 0) };
    let middle = "call_once other_one call_often call_often first_seen ";
    let content = format!("fn first_seen starts here\n{middle}{}\nand last_seen ends here", "x ".repeat(60));
    let text = shown(&policy, content.as_bytes());
    assert!(text.contains("\n[names in it: call_often, call_once, other_one]\n"), "{text}");
}

#[test]
fn a_preview_names_its_result_and_no_other_text_does() {
    let content = format!("ref_id=\"other\"\n{}", "line\n".repeat(200));
    let id = Some(ResultRef::from_text("abc-123"));
    for policy in [head_tail(40, 20, 2), OffloadPolicy::seed()] {
        let shown = shown(&policy, content.as_bytes());
        assert_eq!(preview_reference(&shown), id, "{shown}");
        assert_eq!(preview_reference(&format!("He said: {shown}")), None);
    }
    assert_eq!(preview_reference("[Tool result stored — elsewhere]"), None);
    assert_eq!(preview_reference("plain text"), None);
}
