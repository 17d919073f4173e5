//! The program with a bucket, as its user meets it.

use std::fs;
use std::process::Stdio;

use rusqlite::Connection;
use serde_json::json;

use crate::bucket::{Bucket, SECRET};
use crate::ran::assert_says;
use crate::stage::{LONG, MARK, Stage};

#[test]
fn a_long_result_is_an_object_is_read_back_and_leaves_with_its_session() {
    let bucket = Bucket::new();
    let stage = Stage::new(&bucket);
    let (session, reference) = stage.long_turn();
    let objects = bucket.objects();
    assert_eq!(objects.len(), 1, "{objects:?}");
    assert!(objects[0].1 > 150_000, "{objects:?}");
    let sum = "SELECT sum(length(content)) FROM tool_result_blobs";
    let stored: i64 =
        Connection::open(stage.database()).unwrap().query_row(sum, [], |row| row.get(0)).unwrap();
    assert_eq!(stored, 0, "the result is in the database too");
    assert_says(&stage.read(&session, &reference), &[MARK]);
    let shown = stage.run(&["config", "show", "--origin"]).done();
    assert_says(&shown, &["storage.blobs", &bucket.place()]);
    assert!(!shown.contains(SECRET));
    stage.delete(&[&session]).done();
    assert_eq!(bucket.objects(), []);
}

#[test]
fn an_undo_restores_large_files_from_their_objects() {
    let bucket = Bucket::new();
    let stage = Stage::new(&bucket);
    let file = stage.place.work().join("large.txt");
    let before: String = (0..20_000).map(|line| format!("line {line}\n")).collect();
    fs::write(&file, &before).unwrap();
    let edit = json!({ "path": "large.txt", "old_string": "line 777\n", "new_string": "LINE 777\n" });
    stage.turn(&["--allow", "edit_file"], &[("edit_file", edit)]);
    assert_eq!(bucket.objects().len(), 1, "what the file was");
    assert!(fs::read_to_string(&file).unwrap() != before);
    stage.run(&["undo", "last", "--files"]).done();
    assert!(fs::read_to_string(&file).unwrap() == before, "the file is not restored");
    assert_eq!(bucket.objects().len(), 2, "and what it had become");
    stage.run(&["redo", "last", "--files"]).done();
    assert!(fs::read_to_string(&file).unwrap().contains("LINE 777"));
}

#[test]
fn encrypted_results_are_encrypted_objects_and_a_fork_reads_its_own() {
    let bucket = Bucket::new();
    let stage = Stage::new(&bucket);
    let key = stage.place.folder.path().join("key");
    stage.run(&["config", "key", "new", key.to_str().unwrap()]).done();
    stage.run(&["config", "set", "encryption.key_file", key.to_str().unwrap()]).done();
    let (session, reference) = stage.long_turn();
    let fork = stage.turn(&["--resume", &session, "--fork"], &[]);
    assert_eq!(bucket.objects().len(), 2);
    stage.delete(&[&session]).done();
    assert_eq!(bucket.objects().len(), 1);
    assert_says(&stage.read(&fork, &reference), &[MARK]);
}

#[test]
fn several_processes_share_a_bucket() {
    let bucket = Bucket::new();
    let stage = Stage::new(&bucket);
    let sessions: Vec<String> = std::thread::scope(|scope| {
        let turns: Vec<_> = (0..4).map(|_| scope.spawn(|| stage.long_turn().0)).collect();
        turns.into_iter().map(|turn| turn.join().unwrap()).collect()
    });
    let count = bucket.objects().len();
    assert!((1..=4).contains(&count), "{count}");
    let (kept, deleted) = sessions.split_first().unwrap();
    std::thread::scope(|scope| {
        for session in deleted {
            scope.spawn(|| stage.delete(&[session]).done());
        }
    });
    assert_eq!(bucket.objects().len(), 1, "what one session has stays");
    let reference = stage.reference(kept);
    assert_says(&stage.read(kept, &reference), &[MARK]);
    stage.delete(&[kept]).done();
    assert_eq!(bucket.objects(), []);
}

#[test]
fn a_run_that_needs_no_object_opens_no_connection() {
    let folder = tempfile::tempdir().unwrap();
    let place = format!("file://{}/blobs", folder.path().display());
    let stage = Stage::with(&place, Vec::new());
    stage.turn(&[], &[("shell", json!({ "command": "echo short" }))]);
    assert!(!folder.path().join("blobs").exists());
    stage.turn(&[], &[("shell", json!({ "command": LONG }))]);
    assert_eq!(fs::read_dir(folder.path().join("blobs")).unwrap().count(), 1);
    let mut asked = stage.command(&["sessions", "--blobs", "s3://nowhere"]);
    let listed = asked.stdin(Stdio::null()).output().unwrap();
    assert!(listed.status.success(), "a list needs no object: {listed:?}");
}
