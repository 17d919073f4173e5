//! A program that is killed while it stores results.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use rusqlite::Connection;

use crate::bucket::Bucket;
use crate::ran::run;
use crate::stage::Stage;

#[test]
fn no_row_is_without_its_object_and_no_object_without_a_row_or_a_note() {
    let bucket = Bucket::new();
    let stage = Stage::new(&bucket);
    let command = |pace: &str| {
        let mut command = stage.command(&["demo", "--worker-session", "killed", "--pace", pace]);
        command.args(["--workspace", "w"]).env("THROUGHLINE_STORAGE_BLOBS_FROM", "100");
        command
    };
    for millis in [300, 500, 700, 900, 1100, 1300] {
        let mut child =
            command("5").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run(&mut command("0"));

    let database = Connection::open(stage.database()).unwrap();
    let all = |sql: &str| -> BTreeSet<String> {
        let mut found = database.prepare(sql).unwrap();
        let rows = found.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(|address| address.unwrap().strip_prefix("s3://results/").unwrap().to_owned()).collect()
    };
    let used = all("SELECT DISTINCT object FROM tool_result_blobs WHERE object IS NOT NULL");
    let noted = all("SELECT address FROM loose_objects");
    let there: BTreeSet<String> = bucket.objects().into_iter().map(|(key, _)| key).collect();
    assert!(!used.is_empty());
    assert!(used.is_subset(&there), "without an object: {:?}", used.difference(&there));
    let known: BTreeSet<String> = used.union(&noted).cloned().collect();
    assert!(there.is_subset(&known), "without a row: {:?}", there.difference(&known));
    drop(database);
    stage.delete(&["killed"]).done();
    assert!(bucket.objects().len() <= noted.len());
}
