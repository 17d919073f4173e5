//! Tests of finding references.

use throughline_conversation::{ResultRef, SessionId};

use super::references;

#[test]
fn references_are_found_in_any_text() {
    let session = SessionId::new("s").unwrap();
    let (one, two) = (ResultRef::of(&session, b"one"), ResultRef::of(&session, b"two"));
    let text = format!(
        "stored as {one}, and (ref_id=\"{two}\"); {one} again, but not r-12 or for-{}",
        "a".repeat(16)
    );
    let found: Vec<ResultRef> = references(&text).into_iter().collect();
    let mut expected = vec![one, two];
    expected.sort();
    assert_eq!(found, expected);
    assert!(references("r-0123456789abcdef0 is too long, ü").is_empty());
}
