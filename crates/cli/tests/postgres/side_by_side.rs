//! Several nodes work on the sessions of one database.

use std::thread::scope;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog, Part, SessionDirectory, read_all};
use throughline_conversation::{RecordBody, Seq, Source};
use throughline_testserver::{Answer, Script};

use crate::cluster::{Cluster, open};
use crate::contracts::info;
use crate::hosted::Hosted;
use crate::node::Node;

const NODES: usize = 4;
const SESSIONS: usize = 16;
const TURNS: usize = 3;

/// Runs a turn as soon as the one before it has given the session back, which is a little after its last event.
fn turn_when_free(node: &Hosted, id: &str, prompt: &str) -> Vec<Value> {
    let begin = Instant::now();
    loop {
        let events = node.turn(id, prompt);
        if events.status == 200 {
            return events.rest();
        }
        let (status, refused) = (events.status, events.error());
        let is_late = begin.elapsed() > Duration::from_secs(20);
        assert!(status == 409 && !is_late, "{status}: {refused}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Four servers, each with sixteen sessions at a time.
#[test]
fn four_nodes_write_sixty_four_sessions() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let nodes: Vec<Hosted> = (0..NODES)
        .map(|_| {
            let script =
                (0..SESSIONS * TURNS).fold(Script::new(), |script, _| script.then(Answer::text("Done.")));
            Hosted::new(script, &["--database", &url, "--max-turns", "32"])
        })
        .collect();
    scope(|scope| {
        for node in &nodes {
            for session in 0..SESSIONS {
                scope.spawn(move || {
                    let id = node.done(&format!("turn 1 of session {session}"));
                    for turn in 2..=TURNS {
                        let prompt = format!("turn {turn} of session {session}");
                        let events = turn_when_free(node, &id, &prompt);
                        assert_eq!(events.last().unwrap()["outcome"], "done", "{events:?}");
                    }
                });
            }
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = open(&url).await;
        let listed = store.sessions().list().await.unwrap();
        assert_eq!(listed.len(), NODES * SESSIONS);
        for session in listed {
            let read = read_all(&store.message_log(), &session.info.id, Seq(0), Part::All).await.unwrap();
            assert!(read.unreadable.is_empty(), "{:?}", read.unreadable);
            let by_user =
                |body: &RecordBody| matches!(body, RecordBody::Message(said) if said.source == Source::User);
            let said = read.records.iter().filter(|record| by_user(&record.body)).count();
            assert_eq!((said, session.requests), (TURNS, TURNS as u64));
            assert!(read.records.iter().zip(1..).all(|(record, place)| record.seq == Seq(place)));
        }
        assert_eq!(store.check().await.unwrap(), Vec::<String>::new());
    });
}

/// A session that one node writes is refused by another one, with its holder.
#[test]
fn a_session_is_written_by_one_node_at_a_time() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let (one, other) = (Node::new(&url), Node::new(&url));
    let project = TempDir::new().unwrap();
    let mut worker = one.worker("shared", project.path(), 400);
    assert!(worker.until_stored(2));
    let refused = other.worker("shared", project.path(), 0).wait().0.failed(1);
    let held = format!("process {}", worker.pid());
    assert!(refused.contains("session shared is open in another process (throughline on "), "{refused}");
    assert!(refused.contains(&held) && refused.contains("close it there first"), "{refused}");
    let undone = other.run(&["undo", "shared"]).failed(1);
    assert!(undone.contains(&held), "{undone}");
    let before = worker.kill();
    assert!(before >= 2);
}

/// A crash in the middle of a turn: another node waits for the lease and continues, with nothing lost and nothing twice.
#[test]
fn another_node_continues_what_a_killed_one_began() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let project = TempDir::new().unwrap();
    let nodes: Vec<Node> = (0..3).map(|_| Node::new(&url)).collect();
    let mut worker = nodes[0].worker("crashed", project.path(), 20);
    assert!(worker.until_stored(9));
    let acked = worker.kill();
    let first = nodes[1].records("crashed");
    assert!(first.len() as u64 >= acked, "{} of {acked} records", first.len());
    let mut worker = nodes[1].worker("crashed", project.path(), 20);
    assert!(worker.until_stored(acked + 12));
    let acked = worker.kill();
    let second = nodes[2].records("crashed");
    assert!(second.len() as u64 >= acked, "{} of {acked} records", second.len());
    assert_eq!(second[..first.len()], first, "what was there stays");
    let (ran, acked) = nodes[2].worker("crashed", project.path(), 0).wait();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let whole = nodes[0].records("crashed");
    assert_eq!(whole.len() as u64, acked);
    assert_eq!(whole[..second.len()], second, "what was there stays");
    let users = whole
        .iter()
        .filter(|record| matches!(&record.body, RecordBody::Message(said) if said.source == Source::User));
    assert_eq!(users.count(), 3, "every message is there once");
}

/// A server of sessions that is killed, and one that is started for the same sessions.
#[test]
fn a_server_that_was_killed_leaves_its_sessions_to_the_next_one() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let script = Script::new().then(Answer::text("One.")).then(Answer::text("Two."));
    let node = Hosted::new(script, &["--database", &url]);
    let id = node.done("First.");
    let node = node.killed(&["--database", &url]);
    let events = node.turn(&id, "Second.").rest();
    assert_eq!(events.last().unwrap()["outcome"], "done", "{events:?}");
}

/// A process that follows a session hears of its new records from the server, long before it would look for them anyway.
#[tokio::test]
async fn new_records_are_announced_to_other_processes() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let (writer, reader) = (open(&url).await, open(&url).await);
    let (id, other) = (session("s1"), session("s2"));
    for name in ["s1", "s2"] {
        writer.sessions().create(&info(name)).await.unwrap();
    }
    let mut changes = reader.changes();
    let heard = changes.wait(&id);
    let writing = async {
        for record in sample_log(3, 60) {
            writer.message_log().append(&id, &[record]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::select! {
        () = heard => {}
        () = writing => panic!("nothing was announced in twelve seconds"),
    }
    let begin = Instant::now();
    writer.message_log().append(&other, &sample_log(3, 20)).await.unwrap();
    // What was announced before this call is still there; then only the other session has new records.
    while tokio::time::timeout(Duration::from_millis(700), changes.wait(&id)).await.is_ok() {
        assert!(begin.elapsed() < Duration::from_secs(9), "another session is announced as this one");
    }
    reader.close().await.unwrap();
}
