//! Connections that are ended and a server that restarts, while a session is written.

use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::cluster::Cluster;
use crate::node::{Node, story};

/// Ends all connections of a database but the one that asks.
const TERMINATE: &str = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                         WHERE datname = current_database() AND pid <> pg_backend_pid()";

/// The messages of the session when nothing disturbs it.
fn undisturbed(cluster: &Cluster) -> Vec<String> {
    let node = Node::new(&cluster.database());
    let project = TempDir::new().unwrap();
    let (ran, _) = node.worker("calm", project.path(), 0).wait();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    story(&node.records("calm"))
}

#[test]
fn connections_that_are_ended_again_and_again_lose_nothing() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let database = url.rsplit('/').next().unwrap().to_owned();
    let (node, project) = (Node::new(&url), TempDir::new().unwrap());
    let mut worker = node.worker("cut", project.path(), 20);
    let mut ended = 0;
    let mut next = 3;
    while worker.until_stored(next) {
        let (worked, count) = cluster.psql(&database, TERMINATE);
        assert!(worked, "{count}");
        ended += count.parse::<u64>().unwrap();
        next += 8;
    }
    let (ran, acked) = worker.wait();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ended >= 6, "{ended} connections were ended");
    let records = node.records("cut");
    assert_eq!(records.len() as u64, acked, "all that is stored was said to be");
    assert_eq!(story(&records).len(), undisturbed(&cluster).len());
}

#[test]
fn a_server_that_restarts_in_the_middle_of_a_session_loses_nothing() {
    let cluster = Cluster::new();
    let url = cluster.database();
    let (node, project) = (Node::new(&url), TempDir::new().unwrap());
    let mut worker = node.worker("restart", project.path(), 40);
    assert!(worker.until_stored(8));
    cluster.stop();
    std::thread::sleep(Duration::from_millis(1_500));
    cluster.start();
    let (ran, acked) = worker.wait();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let records = node.records("restart");
    assert_eq!(records.len() as u64, acked);
    assert_eq!(story(&records).len(), undisturbed(&cluster).len());
}

/// A server that does not come back: the program says so, and what it had said was stored is there afterwards.
#[test]
fn a_server_that_is_gone_ends_the_session_with_a_clear_error() {
    let cluster = Cluster::new();
    let url = cluster.database();
    let (node, project) = (Node::new(&url), TempDir::new().unwrap());
    let mut worker = node.worker("gone", project.path(), 40);
    assert!(worker.until_stored(8));
    cluster.stop();
    let begin = Instant::now();
    let (ran, acked) = worker.wait();
    assert!(begin.elapsed() < Duration::from_secs(70), "{:?}", begin.elapsed());
    let said = ran.failed(1);
    assert!(said.contains("is not saved") && said.contains("cannot be reached"), "{said}");
    let listed = node.run(&["sessions"]).failed(1);
    assert!(listed.contains("cannot be reached") && listed.contains("see that the server runs"), "{listed}");
    cluster.start();
    let records = node.records("gone");
    assert!(records.len() as u64 >= acked, "{} of {acked} records", records.len());
}
