//! Names of sessions and of stored results.

use expect_test::expect;
use proptest::prelude::*;
use throughline_conversation::{ResultRef, SessionId};

#[expect(clippy::expect_used, reason = "a helper of tests")]
fn session(name: &str) -> SessionId {
    SessionId::new(name).expect("a session's name")
}

#[test]
fn a_session_is_named_by_a_short_plain_word() {
    for good in ["a", "2025-03-14_fix", "A-b_9", &"x".repeat(64)] {
        assert_eq!(SessionId::new(good).map(|id| id.to_string()), Ok(good.to_owned()));
    }
    for bad in ["", "a b", "../x", "a/b", "ä", "a\n", ".", &"x".repeat(65)] {
        assert!(SessionId::new(bad).is_err(), "{bad:?}");
    }
    let why = SessionId::new("a/b").expect_err("a slash");
    expect![[r#"session id "a/b" is not 1 to 64 ASCII letters, digits, '-' or '_'"#]]
        .assert_eq(&why.to_string());
}

#[test]
fn a_session_read_from_a_file_is_checked_too() {
    assert_eq!(serde_json::from_str::<SessionId>("\"s-1\"").ok(), Some(session("s-1")));
    assert!(serde_json::from_str::<SessionId>("\"../etc\"").is_err());
    assert_eq!(serde_json::to_string(&session("s-1")).ok().as_deref(), Some("\"s-1\""));
    assert_eq!(String::from(session("s-1")), "s-1");
}

#[test]
fn a_reference_has_a_form_that_a_model_copies_without_mistakes() {
    let name = ResultRef::of(&session("s"), b"hello").to_string();
    assert_eq!(name.len(), 18);
    assert!(
        name.starts_with("r-")
            && name.bytes().skip(2).all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase())
    );
    // Names are kept in stores: the rule that makes them must not change.
    expect!["r-802d842853d60fac"].assert_eq(&name);
    assert_eq!(ResultRef::from_text(&format!("  {name}\n")), ResultRef::of(&session("s"), b"hello"));
}

proptest! {
    #[test]
    fn any_text_is_a_session_name_or_refused(text in "[-_a-zA-Z0-9]{0,70}|\\PC{0,6}") {
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        prop_assert_eq!(SessionId::new(text.clone()).is_ok(), plain && (1..=64).contains(&text.len()));
    }

    #[test]
    fn equal_content_has_one_name_in_a_session_and_another_elsewhere(
        a in prop::collection::vec(any::<u8>(), 0..40), b in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let (here, there) = (session("here"), session("there"));
        prop_assert_eq!(ResultRef::of(&here, &a), ResultRef::of(&here, &a));
        prop_assert_eq!(ResultRef::of(&here, &a) == ResultRef::of(&here, &b), a == b);
        prop_assert_ne!(ResultRef::of(&here, &a), ResultRef::of(&there, &a));
    }

    // The end of the session's name and the start of the content must not run into each other.
    #[test]
    fn a_longer_session_name_is_no_longer_content(tail in "[a-z]{1,8}", content in "[a-z]{0,8}") {
        let joined = format!("{tail}{content}");
        let longer = session(&format!("s{tail}"));
        prop_assert_ne!(ResultRef::of(&session("s"), joined.as_bytes()), ResultRef::of(&longer, content.as_bytes()));
    }
}
