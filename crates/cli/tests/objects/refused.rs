//! Objects that are missing or damaged, servers that are away, and places that cannot be used.

use serde_json::json;

use crate::bucket::{Bucket, S3, SECRET};
use crate::ran::assert_says;
use crate::stage::{LONG, MARK, Stage};

#[test]
fn a_missing_and_a_damaged_object_are_named_and_the_session_continues() {
    let bucket = Bucket::new();
    let stage = Stage::new(&bucket);
    let (session, reference) = stage.long_turn();
    let key = bucket.objects().remove(0).0;
    bucket.spoil(&key);
    assert_says(&stage.read(&session, &reference), &[&reference, &session, "is damaged", &key]);
    bucket.remove(&key);
    assert_says(
        &stage.read(&session, &reference),
        &[&reference, &session, "is not in s3://results/team/a", &key],
    );
    stage.turn(&["--resume", &session], &[("shell", json!({ "command": "echo on" }))]);
    stage.run(&["config", "unset", "storage.blobs"]).done();
    assert_says(&stage.read(&session, &reference), &[&reference, "set storage.blobs", &key]);
}

#[test]
fn while_the_server_is_away_results_go_into_the_database() {
    let mut bucket = Bucket::new();
    let stage = Stage::new(&bucket);
    let (before, _) = stage.long_turn();
    bucket.stop();
    let (session, reference) = stage.long_turn();
    assert_says(&stage.read(&session, &reference), &[MARK]);
    let said = stage.delete(&[&before]).failed();
    assert_says(&said, &["still in the object store", "s3://results/team/a failed", "AWS_ENDPOINT_URL"]);
    assert!(!said.contains(SECRET), "{said}");
}

#[test]
fn a_server_that_refuses_is_reported_without_secrets() {
    let server = S3::start("locked");
    let stage = Stage::with("s3://results", server.variables().to_vec());
    let ran = stage.try_turn(&[], &[("shell", json!({ "command": LONG }))]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let all = format!("{}{}", ran.out, ran.err);
    assert!(!all.contains(SECRET) && !all.contains("test-key-canary"), "{all}");
    let session = serde_json::from_str::<serde_json::Value>(&ran.out).unwrap()["session"].clone();
    let session = session.as_str().unwrap();
    let reference = stage.reference(session);
    assert_says(&stage.read(session, &reference), &[MARK]);
}

#[test]
fn a_wrong_place_is_an_error_before_anything_is_stored() {
    let stage = Stage::with("s3://key:canary-of-the-place@bucket", Vec::new());
    let ran = stage.try_turn(&[], &[]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_says(&ran.err, &["storage.blobs", "AWS_ACCESS_KEY_ID", "THROUGHLINE_STORAGE_BLOBS"]);
    assert!(!ran.err.contains("canary-of-the-place"), "{ran:?}");
    assert!(!stage.database().exists());
    let stage = Stage::with("file:///srv", Vec::new());
    let said = stage.run(&["sessions", "--blobs", "gs://b"]).misused();
    assert_says(&said, &["--blobs", "\"gs\" stores are not supported"]);
}
