//! Several nodes work on the sessions of one database.

use std::time::{Duration, Instant};

use tempfile::TempDir;
use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog, SessionDirectory};
use throughline_conversation::{RecordBody, Source};
use throughline_testserver::{Answer, Script};

use crate::cluster::{Cluster, open};
use crate::contracts::info;
use crate::hosted::Hosted;
use crate::many;
use crate::node::Node;

/// The full size runs in the suite `postgres-load`.
const TURNS: usize = 10;

#[test]
fn four_nodes_write_sixty_four_sessions() {
    many::write_side_by_side(TURNS);
}

/// The last event of a turn comes when the session is free, however long the server takes for that: a client that goes to
/// another node at once is not refused.
#[test]
fn the_next_turn_may_begin_on_another_node_at_once() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let project = TempDir::new().unwrap();
    let project = project.path().to_str().unwrap();
    let node = |answer: &str| {
        let script = Script::new().then(Answer::text(answer));
        Hosted::new(script, &["--database", &url, "--workspace", project])
    };
    let (one, other) = (node("One."), node("Two."));
    let slow = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(5); RETURN old; END $$; \
                CREATE TRIGGER slow BEFORE DELETE ON session_leases FOR EACH ROW EXECUTE FUNCTION slow()";
    let made = cluster.psql(url.rsplit('/').next().unwrap(), slow);
    assert!(made.0, "{}", made.1);
    let id = one.done("First.");
    let next = other.turn(&id, "Second.");
    assert_eq!(next.status, 200);
    assert_eq!(next.rest().last().unwrap()["outcome"], "done");
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
