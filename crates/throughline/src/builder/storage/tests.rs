//! The options that a builder opens its storage with.

use super::*;
use crate::Throughline;

#[test]
fn the_durability_of_the_caller_wins_over_that_of_the_settings() {
    let chosen = Throughline::builder().durability(Durability::Full).storage;
    let settings = |durability| StorageOptions { durability, key: StorageKey::None };
    assert_eq!(chosen.options(settings(Durability::Normal)).durability, Durability::Full);
    let by_settings = Throughline::builder().storage;
    assert_eq!(by_settings.options(settings(Durability::Full)).durability, Durability::Full);
    assert_eq!(by_settings.options(settings(Durability::Normal)).durability, Durability::Normal);
}

#[test]
fn the_key_of_the_caller_wins_over_that_of_the_settings() {
    let key = EncryptionKey::from_text(&"1".repeat(64)).unwrap();
    let settings = || StorageOptions { key: StorageKey::File("/a".into()), ..StorageOptions::default() };
    let chosen = Throughline::builder().encryption_key(key.clone()).storage.options(settings()).key;
    assert!(matches!(chosen, StorageKey::Given(given) if given.id() == key.id()));
    let by_settings = Throughline::builder().storage.options(settings()).key;
    assert!(matches!(by_settings, StorageKey::File(_)));
}
