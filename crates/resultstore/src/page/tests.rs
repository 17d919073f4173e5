//! Pages: what the model reads, and the law that nothing is lost between them.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_conversation::{Millis, ResultRef, SessionId};

use super::ResultPage;
use crate::lossy::tests::hostile;
use crate::repository::StoredResult;
use crate::request::{ReadError, ReadRequest};

fn stored(content: &[u8]) -> StoredResult {
    let (session, id) = (SessionId::new("s").unwrap(), ResultRef::from_text("r-1"));
    StoredResult { session, id, tool: "shell_exec".to_owned(), content: content.to_vec(), at: Millis(0) }
}

fn page(content: &[u8], offset: u64, limit: u64, search: Option<&str>) -> Result<ResultPage, ReadError> {
    let search = search.map(str::to_owned);
    ResultPage::of(
        &stored(content),
        &ReadRequest { ref_id: ResultRef::from_text("r-1"), offset, limit, search },
    )
}

fn check(content: &str, offset: u64, limit: u64, search: Option<&str>, after: &Expect) {
    after.assert_eq(&page(content.as_bytes(), offset, limit, search).unwrap().text);
}

// S3-10
#[test]
fn a_page_says_where_it_is_and_where_to_read_on() {
    check(
        "0123456789",
        2,
        4,
        None,
        &expect![[r#"
        [Result r-1 from "shell_exec": bytes 2–6 of 10; next offset=6]
        2345"#]],
    );
    check(
        "0123456789",
        6,
        4,
        None,
        &expect![[r#"
        [Result r-1 from "shell_exec": bytes 6–10 of 10; this is the end]
        6789"#]],
    );
    check(
        "",
        0,
        4,
        None,
        &expect![[r#"
        [Result r-1 from "shell_exec": bytes 0–0 of 0; this is the end]
    "#]],
    );
}

#[test]
fn an_offset_inside_a_character_moves_to_the_next() {
    let page = page("aé日b".as_bytes(), 2, 3, None).unwrap();
    assert_eq!((page.content.as_str(), page.range, page.next_offset), ("日", 3..6, Some(6)));
}

#[test]
fn a_character_longer_than_the_limit_is_shown() {
    let page = page("😀😀".as_bytes(), 0, 1, None).unwrap();
    assert_eq!((page.content.as_str(), page.next_offset), ("😀", Some(4)));
}

#[test]
fn an_offset_behind_the_end_is_an_error_that_names_the_size() {
    let error = page(b"abc", 4, 10, None).unwrap_err();
    assert!(matches!(error, ReadError::PastEnd { offset: 4, total: 3 }));
    assert_eq!(error.to_string(), "offset 4 is behind the end: the result has 3 bytes");
    assert_eq!(page(b"abc", 3, 10, None).unwrap().content, "");
}

#[test]
fn bytes_that_are_no_text_are_said_to_be_so() {
    let page = page(b"a\xffb", 0, 10, None).unwrap();
    assert_eq!(page.content, "a\u{fffd}b");
    assert!(page.text.contains("not UTF-8: shown with replacement characters"));
}

#[test]
fn a_search_says_what_it_found_and_how() {
    let log = "start\nError: one\nok\nok\nok\nerror: two\nerror: three\n";
    check(
        log,
        0,
        1_000,
        Some("error:"),
        &expect![[r#"
        [Result r-1 from "shell_exec": search for "error:": 3 found; line:offset:text]
        1-0-start
        2:6:Error: one
        3-17-ok
        --
        5-23-ok
        6:26:error: two
        7:37:error: three
    "#]],
    );
    check(
        log,
        0,
        30,
        Some("error:"),
        &expect![[r#"
        [Result r-1 from "shell_exec": search for "error:": 3 found, 2 more: search again with offset=26; line:offset:text]
        1-0-start
        2:6:Error: one
        3-17-ok
    "#]],
    );
    check(
        log,
        26,
        30,
        Some("error:"),
        &expect![[r#"
        [Result r-1 from "shell_exec": search for "error:": 3 found, 1 before offset 26, 1 more: search again with offset=37; line:offset:text]
        5-23-ok
        6:26:error: two
    "#]],
    );
    check(
        log,
        0,
        100,
        Some("three error"),
        &expect![[r#"
        [Result r-1 from "shell_exec": search for "three error": not found as written; lines with all of its words: 1; line:offset:text]
        6-26-error: two
        7:37:error: three
    "#]],
    );
    check(
        log,
        0,
        100,
        Some("nowhere"),
        &expect![[r#"
        [Result r-1 from "shell_exec": search for "nowhere": nothing found, neither as written nor lines with all of its words]
    "#]],
    );
}

proptest! {
    // S3-10
    #[test]
    fn all_pages_together_are_the_exact_text(content in hostile(), limit in 1_u64..40) {
        let mut all = String::new();
        let mut next = Some(0);
        while let Some(offset) = next {
            let page = page(&content, offset, limit, None).unwrap();
            prop_assert_eq!(page.range.start, offset);
            prop_assert!(page.content.len() as u64 <= limit.max(4));
            all.push_str(&page.content);
            next = page.next_offset;
            prop_assert_eq!(next.unwrap_or(page.total), page.range.end);
            prop_assert!(next.is_none_or(|next| next > offset));
        }
        prop_assert_eq!(all, String::from_utf8_lossy(&content).into_owned());
    }

    #[test]
    fn all_search_pages_together_show_every_match_once(content in hostile(), limit in 1_u64..200) {
        // In longer lines a match may count more than once.
        prop_assume!(content.split(|byte| *byte == b'\n').all(|line| line.len() < 300));
        let (mut shown, mut next, mut total) = (Vec::new(), Some(0), 0);
        while let Some(offset) = next {
            let page = page(&content, offset, limit, Some("e")).unwrap();
            let head = page.text.lines().next().unwrap();
            total = head.split("for \"e\": ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap_or(0);
            for line in page.content.lines() {
                let digits = line.split(':').next().filter(|word| word.parse::<u64>().is_ok());
                shown.extend(digits.map(str::to_owned));
            }
            next = page.next_offset;
            prop_assert!(next.is_none_or(|next| next > offset));
        }
        let expected = String::from_utf8_lossy(&content).split('\n').filter(|line| line.to_lowercase().contains('e')).count();
        prop_assert_eq!(total, expected);
        prop_assert_eq!(shown.len(), expected);
    }
}
