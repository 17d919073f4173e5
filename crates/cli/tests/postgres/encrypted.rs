//! Encryption at rest, forks and permanent deletion on a server.

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{
    ContextSource, ContextStore, MessageLog, Part, SessionDirectory, SnapshotStore, StoredContext, read_all,
    snapshot_of,
};
use throughline_conversation::{Millis, RecordBody, ResultRef, Seq, View};
use throughline_resultstore::{ResultRepository, StoredResult};
use throughline_store::{EncryptionKey, Store};

use crate::cluster::{Cluster, open};
use crate::contracts::info;

const SECRET: &[u8] = b"the heron nests by the weir";

fn key(digit: &str) -> EncryptionKey {
    EncryptionKey::from_text(&digit.repeat(64)).unwrap()
}

fn result() -> StoredResult {
    let content = SECRET.repeat(50);
    let id = ResultRef::of(&session("s1"), &content);
    StoredResult { session: session("s1"), id, tool: "shell".to_owned(), content, at: Millis(2) }
}

async fn fill(store: &Store) {
    store.sessions().create(&info("s1")).await.unwrap();
    store.message_log().append(&session("s1"), &sample_log(5, 300)).await.unwrap();
    store.results().put(&result()).await.unwrap();
    let context = StoredContext {
        session: session("s1"),
        covers: Seq(7),
        source: ContextSource::ALL[0],
        worker: "agent".to_owned(),
        at: Millis(3),
        context: format!("{{\"text\":\"{}\"}}", String::from_utf8_lossy(SECRET)),
    };
    store.contexts().save(&context).await.unwrap();
    store.snapshots().save(&snapshot_of(&session("s1"), &View::default(), Millis(4))).await.unwrap();
}

/// Every byte of the tables, as a dump has them.
fn dump(cluster: &Cluster, database: &str) -> String {
    let tables = ["tool_result_blobs", "session_contexts", "session_snapshots"];
    tables.map(|table| cluster.psql(database, &format!("SELECT * FROM {table}")).1).join("\n")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn what_is_encrypted_is_not_in_the_tables_and_only_its_key_reads_it() {
    let cluster = Cluster::shared();
    for encrypted in [false, true] {
        let url = cluster.database();
        let store = open(&url).await;
        let store = if encrypted { store.with_key(key("1")) } else { store };
        fill(&store).await;
        let dumped = dump(&cluster, url.rsplit('/').next().unwrap());
        assert_eq!(dumped.contains(&hex(SECRET)), !encrypted, "the result");
        assert_eq!(dumped.contains(&String::from_utf8_lossy(SECRET).into_owned()), !encrypted, "the context");
        let found = store.results().get(&session("s1"), &result().id).await.unwrap().unwrap();
        assert_eq!(found, result());
        let other = open(&url).await.with_key(key("2"));
        let read = other.results().get(&session("s1"), &result().id).await;
        assert_eq!(read.is_ok(), !encrypted, "{read:?}");
        assert_eq!(other.check_key().await.is_ok(), !encrypted);
    }
}

#[tokio::test]
async fn a_fork_is_a_copy_of_one_moment_and_its_results_are_its_own() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let store = open(&url).await.with_key(key("1"));
    fill(&store).await;
    // Another process writes meanwhile.
    let more = sample_log(5, 900);
    let (log, other) = (store.message_log(), open(&url).await.message_log());
    let writing = async {
        let mut at = read_all(&other, &session("s1"), Seq(0), Part::All).await.unwrap().records.len();
        let begin = at;
        while at + 10 <= more.len() {
            other.append(&session("s1"), &more[at..at + 10]).await.unwrap();
            at += 10;
        }
        at - begin
    };
    let (from, to) = (session("s1"), info("s2"));
    let (forked, written) = tokio::join!(store.fork(&from, &to), writing);
    forked.unwrap();
    assert!(written > 100);
    let copy = read_all(&log, &session("s2"), Seq(0), Part::All).await.unwrap();
    assert!(
        copy.unreadable.is_empty() && copy.records.len() >= 300 && copy.records == more[..copy.records.len()]
    );
    let own = store.results().get(&session("s2"), &result().id).await.unwrap().unwrap();
    assert_eq!(own.content, result().content);
    let next = copy.records.len();
    log.append(&session("s2"), &more[next..]).await.unwrap();
    assert!(store.fork(&session("s1"), &info("s2")).await.is_err(), "the id is taken");
    assert_eq!(store.check().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_deleted_permanently_is_in_no_table() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let store = open(&url).await;
    fill(&store).await;
    let all = read_all(&store.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap().records;
    let message = all.iter().find(|record| matches!(record.body, RecordBody::Message(_))).unwrap();
    let instead =
        throughline_conversation::Record { body: all[all.len() - 1].body.clone(), ..message.clone() };
    store.message_log().redact(&session("s1"), std::slice::from_ref(&instead)).await.unwrap();
    let read = read_all(&store.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap().records;
    assert_eq!(read[usize::try_from(message.seq.0).unwrap() - 1], instead);
    let count = |sql: &str| cluster.psql(url.rsplit('/').next().unwrap(), sql).1;
    // The statistics come late under load; this reads the table itself.
    count("CREATE EXTENSION pgstattuple");
    assert_eq!(count("SELECT dead_tuple_count FROM pgstattuple('log')"), "0");
}
