//! What may be a memo.

use expect_test::expect;
use throughline_conversation::Millis;

use super::{MAX_CONTENT, MemoDraft, MemoOrigin};
use crate::error::MemoryError;

fn draft(content: &str) -> Result<MemoDraft, MemoryError> {
    MemoDraft::new(content, &["x"], MemoOrigin::default(), Millis(5))
}

// S4-19
#[test]
fn a_memo_says_something_and_not_too_much() {
    assert_eq!(draft("  a\n b \n").unwrap().content, "a\n b");
    assert_eq!(draft("\u{202e}tx\u{200b}et\u{7}").unwrap().content, "txet");
    for text in ["", " \n\t", "\u{200b}\u{feff}"] {
        assert!(matches!(draft(text), Err(MemoryError::Empty)), "{text:?}");
    }
    assert!(draft(&"é".repeat(MAX_CONTENT / 2)).is_ok());
    let error = draft(&"é".repeat(MAX_CONTENT / 2 + 1)).unwrap_err();
    expect!["the content has 4,002 bytes, and a memo at most 4,000: say it shorter, save several memos, or write it to a file under memory/"]
        .assert_eq(&error.to_string());
}

#[test]
fn an_empty_workspace_counts_as_missing() {
    let origin = MemoOrigin { workspace: Some(String::new()), ..MemoOrigin::default() };
    let draft = MemoDraft::new("x", &[""; 0], origin, Millis(5)).unwrap();
    let memo = draft.named(draft.names().next().unwrap());
    assert_eq!((memo.workspace, memo.created, memo.updated), (None, Millis(5), Millis(5)));
}
