//! Keys are read strictly and never shown.

use std::path::Path;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Key, KeyError};

fn check(bytes: &[u8], after: &Expect) {
    let says = match Key::checked(bytes, "variable X".to_owned()) {
        Ok(key) => format!("key {:?}", key.expose()),
        Err(error) => error.to_string(),
    };
    after.assert_eq(&says);
}

#[test]
fn a_key_is_trimmed_and_an_unusable_one_is_reported_with_its_place() {
    check(b" sk-1 \r\n", &expect![[r#"key "sk-1""#]]);
    check(b" \n", &expect!["the key in variable X is empty; put a key there, or remove it"]);
    check(
        b"sk-1\nsk-2",
        &expect!["the key in variable X holds more than one line; put the key there and nothing else"],
    );
    check(
        b"sk-\x1b[31m",
        &expect!["the key in variable X holds control characters; put the key there and nothing else"],
    );
    check(
        "\u{201c}sk-1\u{201d}".as_bytes(),
        &expect![
            "the key in variable X holds characters that are not ASCII; put the key there and nothing else"
        ],
    );
    check(
        b"sk-\xff",
        &expect!["the key in variable X holds bytes that are no UTF-8; put the key there and nothing else"],
    );
}

#[test]
fn a_variable_that_is_not_set_is_no_error() {
    assert!(Key::from_env("THROUGHLINE_NO_SUCH_VARIABLE").unwrap().is_none());
    // Cargo sets this one for every test.
    let key = Key::from_env("CARGO_MANIFEST_DIR").unwrap().unwrap();
    assert_eq!(key.expose(), env!("CARGO_MANIFEST_DIR"));
}

#[test]
fn a_file_is_read_up_to_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, "sk-in-a-file\n").unwrap();
    assert_eq!(Key::from_file(&path).unwrap().expose(), "sk-in-a-file");
    std::fs::write(&path, "k".repeat(20_000)).unwrap();
    assert!(matches!(Key::from_file(&path), Err(KeyError::Malformed { what: "more than 16 KiB", .. })));
    let missing = Key::from_file(Path::new("/no/such/key")).unwrap_err();
    expect![
        "the key in file /no/such/key cannot be read; check that the file exists and that you may read it"
    ]
    .assert_eq(&missing.to_string());
    assert!(matches!(Key::from_file(folder.path()), Err(KeyError::Unreadable { .. })));
}

#[test]
fn a_key_shows_in_no_output() {
    let key = Key::new("sk-canary-4711");
    for shown in [format!("{key}"), format!("{key:?}"), format!("{:#?}", Some(key.clone()))] {
        assert!(!shown.contains("canary"), "{shown}");
    }
}

#[test]
fn a_text_is_cleared_of_the_key_in_every_form() {
    let key = Key::new("abc/def+gh=4711");
    let check = |text: &str, after: Expect| after.assert_eq(&key.redact(text));
    check("no key", expect!["no key"]);
    check("abc/def+gh=4711, abc/def+gh=4711!", expect!["[key], [key]!"]);
    check("?k=abc%2Fdef%2Bgh%3D4711&l=abc%2fdef%2bgh%3d4711", expect!["?k=[key]&l=[key]"]);
    check("it was abc/def+g…", expect!["it was [key]"]);
    check("it was abc/d", expect!["it was abc/d"]);
    assert_eq!(Key::new("").redact("text"), "text");
}

#[test]
fn a_dummy_key_of_a_local_server_does_not_garble_messages() {
    for dummy in ["k", "x", "none", "sk-1234"] {
        let text = "401: invalid x-api-key sk-1234; check the base URL, or none";
        assert_eq!(Key::new(dummy).redact(text), text);
    }
}

proptest! {
    #[test]
    fn no_text_holds_the_key_after_it_was_cleared(
        key in "[a-zA-Z0-9/+=_-]{9,40}",
        before in ".{0,30}",
        after in ".{0,30}",
        cut in 8usize..40,
    ) {
        let secret = Key::new(key.clone());
        let text = format!("{before}{key}{after}");
        prop_assert!(!secret.redact(&text).contains(&key));
        let part = key.get(..cut.min(key.len())).unwrap();
        let shown = secret.redact(&format!("{before}{part}"));
        prop_assert!(!shown.ends_with(part), "{}", shown);
    }
}
