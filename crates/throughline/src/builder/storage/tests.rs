//! The options that a builder opens its storage with.

use super::*;
use crate::Throughline;

#[test]
fn the_key_of_the_caller_wins_over_that_of_the_settings() {
    let digits = "1".repeat(64);
    let key = EncryptionKey::from_text(&digits).unwrap();
    let settings = || StorageOptions { key: StorageKey::File("/a".into()), ..StorageOptions::default() };
    let chosen =
        Throughline::builder().encryption_key(&digits).unwrap().storage.options(settings()).unwrap().key;
    assert!(matches!(chosen, StorageKey::Given(given) if given.id() == key.id()));
    let by_settings = Throughline::builder().storage.options(settings()).unwrap().key;
    assert!(matches!(by_settings, StorageKey::File(_)));
}

#[test]
fn a_text_that_is_no_key_is_refused_and_not_shown() {
    let error = Throughline::builder().encryption_key("secret").err().unwrap().to_string();
    assert!(error.contains("Builder::encryption_key") && !error.contains("secret"), "{error}");
}

#[cfg(feature = "objects")]
#[test]
fn the_object_store_of_the_caller_wins_over_that_of_the_settings() {
    let settings = || StorageOptions {
        blobs: StorageBlobs::named("s3://one/a", Some(7)).unwrap(),
        ..StorageOptions::default()
    };
    let shown = |builder: Builder| match builder.storage.options(settings()).unwrap().blobs {
        StorageBlobs::Objects { place, from } => format!("{place} {from}"),
        other => format!("{other:?}"),
    };
    assert_eq!(shown(Throughline::builder()), "s3://one/a 7");
    assert_eq!(shown(Throughline::builder().blobs_from(9)), "s3://one/a 9");
    assert_eq!(shown(Throughline::builder().blobs("file:///srv/b/")), "file:///srv/b 65536");
    let wrong = Throughline::builder().blobs("s3://a:secret@b").storage.options(settings()).unwrap_err();
    assert!(
        wrong.to_string().contains("AWS_ACCESS_KEY_ID") && !wrong.to_string().contains("secret"),
        "{wrong}"
    );
}

#[test]
fn the_database_of_the_caller_wins_over_that_of_the_settings() {
    let settings = || StorageOptions {
        database: StorageDatabase::named("postgres://a@one/x").unwrap(),
        ..StorageOptions::default()
    };
    let shown = |builder: Builder| match builder.storage.options(settings()).unwrap().database {
        StorageDatabase::Server(server) => server.to_string(),
        other => format!("{other:?}"),
    };
    assert_eq!(shown(Throughline::builder()), "postgres://a@one/x");
    assert_eq!(shown(Throughline::builder().database("postgres://b:secret@two/y")), "postgres://b@two/y");
    let wrong = Throughline::builder().database("b:secret@two").storage.options(settings()).unwrap_err();
    assert!(wrong.to_string().contains("write postgres://user@host/database"), "{wrong}");
    assert!(!wrong.to_string().contains("secret"), "{wrong}");
}
