//! A server whose disk is full, on a disk of its own.

use std::time::{Duration, Instant};

use tempfile::TempDir;
use throughline_testserver::{Answer, Script};

use crate::cluster::{Cluster, open};
use crate::hosted::Hosted;
use crate::node::{Node, story};

/// A database has 8 MB when it is new.
const MEGABYTES: u64 = 24;

/// A server with a small disk. Where none can be mounted, the test is skipped by name.
fn server(test: &str) -> Option<Cluster> {
    Cluster::with_small_disk(MEGABYTES).map_err(|reason| println!("skipped: {test}: {reason}")).ok()
}

/// Writes a table until nothing more fits.
fn fill(cluster: &Cluster, database: &str) {
    let table = "CREATE TABLE ballast (b text); ALTER TABLE ballast ALTER b SET STORAGE plain";
    assert!(cluster.psql(database, table).0);
    for size in [7_000, 1_000, 100] {
        let rows = format!("INSERT INTO ballast SELECT repeat('x', {size}) FROM generate_series(1, 20000)");
        let (worked, said) = cluster.psql(database, &rows);
        assert!(!worked && said.contains("No space left on device"), "{said}");
    }
}

/// Makes room again.
fn empty(cluster: &Cluster, database: &str) {
    let (worked, said) = cluster.psql(database, "DROP TABLE ballast");
    assert!(worked, "{said}");
}

/// A text that the server cannot make smaller than about this many bytes.
fn noise(bytes: usize) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        format!("{state:016x} ")
    };
    let mut text = String::new();
    while text.len() < bytes * 2 {
        text.push_str(&next());
    }
    text
}

#[test]
fn a_turn_on_a_full_disk_says_that_it_is_not_saved_and_the_next_one_works_when_there_is_room() {
    let Some(cluster) = server("a turn on a full disk") else { return };
    let url = cluster.database_in("small");
    let database = url.rsplit('/').next().unwrap();
    let script = Script::new().then(Answer::text("Noted.")).repeat_last();
    let node = Hosted::new(script, &["--database", &url, "--tools", "none"]);
    let id = node.done("First.");
    fill(&cluster, database);
    let events = node.turn(&id, &noise(40_000)).rest();
    let last = events.last().unwrap();
    assert_eq!(last["outcome"], "unsaved", "{last}");
    let error = last["error"].as_str().unwrap();
    assert!(error.contains("the disk is full") && error.contains("make room and try again"), "{error}");
    let acknowledged = |events: &[serde_json::Value]| {
        let seqs = events.iter().filter(|event| event["type"] == "acknowledged");
        seqs.map(|event| event["seq"].as_u64().unwrap()).max().unwrap_or(0)
    };
    // What is there can be read meanwhile.
    let turns = node.served.get(&format!("/api/sessions/{id}/messages")).json();
    assert_eq!(turns["total"], 1, "{turns}");
    empty(&cluster, database);
    let events = node.turn(&id, "Third.").rest();
    assert_eq!(events.last().unwrap()["outcome"], "done", "{events:?}");
    let acknowledged = acknowledged(&events);
    drop(node);
    let records = Node::new(&url).records(&id);
    assert!(records.len() as u64 >= acknowledged, "{} of {acknowledged}", records.len());
    let said = story(&records);
    assert!(said.first().unwrap().contains("First.") && said.last().unwrap().contains("Noted."), "{said:?}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let damage = runtime.block_on(async { open(&url).await.check().await.unwrap() });
    assert_eq!(damage, Vec::<String>::new());
}

#[test]
fn a_session_that_meets_a_full_disk_stores_all_of_it_when_there_is_room() {
    let Some(cluster) = server("a session that meets a full disk") else { return };
    let url = cluster.database_in("small");
    let database = url.rsplit('/').next().unwrap();
    let (node, project) = (Node::new(&url), TempDir::new().unwrap());
    let mut worker = node.worker("full", project.path(), 250);
    assert!(worker.until_stored(5));
    fill(&cluster, database);
    let begin = Instant::now();
    while !cluster.log().contains("STATEMENT:  WITH lease") {
        assert!(begin.elapsed() < Duration::from_secs(30), "no append was refused: {}", cluster.log());
        std::thread::sleep(Duration::from_millis(20));
    }
    empty(&cluster, database);
    let (ran, acked) = worker.wait();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let records = node.records("full");
    assert_eq!(records.len() as u64, acked, "all that is stored was said to be");
    let calm = Node::new(&cluster.database());
    let undisturbed = TempDir::new().unwrap();
    assert_eq!(calm.worker("calm", undisturbed.path(), 0).wait().0.code, Some(0));
    assert_eq!(story(&records).len(), story(&calm.records("calm")).len());
}

/// Runs a command of the system as the server, which alone sees the small disk.
fn on_the_server(cluster: &Cluster, command: &str) -> (bool, String) {
    cluster.psql("postgres", &format!("COPY (SELECT 1) TO PROGRAM '{command}'"))
}

/// A server whose write-ahead log cannot grow stops itself, and cannot start before there is room. With the server goes the disk
/// of this test, so what is stored after that is not a part of it.
#[test]
fn the_user_of_a_server_whose_write_ahead_log_is_full_hears_that_and_not_of_an_outage() {
    let server = Cluster::with_small_log(MEGABYTES);
    let server = server.map_err(|reason| println!("skipped: a full write-ahead log: {reason}"));
    let Ok(cluster) = server else { return };
    let url = cluster.database();
    let script = Script::new().then(Answer::text("Noted.")).repeat_last();
    let node = Hosted::new(script, &["--database", &url, "--tools", "none"]);
    node.done("First.");
    let ballast = cluster.folder().join("small/ballast").display().to_string();
    on_the_server(&cluster, &format!("dd of={ballast} bs=64k if=/dev/zero"));
    assert!(cluster.log().contains("No space left on device"), "{}", cluster.log());
    let mut errors = Vec::new();
    for turn in 0.. {
        assert!(turn < 60, "the log never ran out of room: {errors:?}");
        let events = node.new_session(&noise(100_000)).rest();
        let last = events.last().unwrap().clone();
        if last["outcome"] != "done" {
            assert_eq!(last["outcome"], "unsaved", "{last}");
            errors.push(last["error"].as_str().unwrap().to_owned());
        }
        if cluster.log().contains("PANIC") && !errors.is_empty() {
            break;
        }
    }
    for error in &errors {
        assert!(error.contains("the disk is full") && error.contains("make room and try again"), "{error}");
    }
}
