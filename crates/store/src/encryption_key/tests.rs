//! Keys as texts.

use super::*;

#[test]
fn digits_and_base64_give_the_same_key() {
    let digits = "00ff10ab".repeat(8);
    let base64 = "AP8QqwD/EKsA/xCrAP8QqwD/EKsA/xCrAP8QqwD/EKs=";
    let id = EncryptionKey::from_text(&digits).unwrap().id();
    for text in [digits.to_uppercase(), format!("  {digits}\n"), base64.to_owned(), base64.replace('=', "\n")]
    {
        assert_eq!(EncryptionKey::from_text(&text).unwrap().id(), id, "{text}");
    }
    assert_eq!(KeyId::from_text(&id.to_string()), Some(id));
    assert_ne!(EncryptionKey::from_text(&"00ff10ac".repeat(8)).unwrap().id(), id);
}

#[test]
fn other_texts_are_refused_and_not_shown() {
    for text in ["", "secret", &"0".repeat(63), &"g".repeat(64), &"+f".repeat(32), &"A".repeat(44), "é"] {
        let error = EncryptionKey::from_text(text).unwrap_err();
        assert!(text.is_empty() || !error.to_string().contains(text));
    }
}

#[test]
fn a_new_key_is_a_key_of_its_own_and_debug_shows_its_id_alone() {
    let (one, other) = (EncryptionKey::new_text().unwrap(), EncryptionKey::new_text().unwrap());
    assert_ne!(one, other);
    let key = EncryptionKey::from_text(&one).unwrap();
    assert_eq!(format!("{key:?}"), format!("EncryptionKey({})", key.id()));
    assert!(!one.contains(&key.id().to_string()), "the id is no part of the key");
}
