//! Contexts of `throughline serve` on a server that fails, is taken over, or is kept busy by others.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog as _, SessionDirectory as _};
use throughline_testserver::Script;

use crate::cluster::{Cluster, open};
use crate::contracts::info;
use crate::hosted::Hosted;
use crate::served::Answered;

fn node(url: &str) -> Hosted {
    Hosted::new(Script::new(), &["--database", url])
}

fn call(node: &Hosted, context: &str, operation: &str, body: &Value) -> Answered {
    node.served.send("POST", &format!("/api/contexts/{context}/{operation}"), &body.to_string())
}

fn open_context(node: &Hosted, context: &str) -> Answered {
    call(node, context, "open", &json!({ "model": "claude-sonnet-4-5" }))
}

fn code(answer: &Answered) -> (u16, String) {
    (answer.status, answer.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn a_context_that_cannot_be_stored_stays_open_and_is_stored_when_the_server_is_back() {
    let cluster = Cluster::new();
    let node = node(&cluster.database());
    assert_eq!(open_context(&node, "work").status, 200);
    cluster.stop();
    let said = call(&node, "work", "user", &json!({ "text": "Do not lose this." }));
    assert_eq!(said.status, 200, "{}", said.body);
    let refused = call(&node, "work", "close", &json!({}));
    assert_eq!(code(&refused), (500, "unsaved".to_owned()), "{}", refused.body);
    let listed = node.served.get("/api/sessions");
    assert!(listed.status >= 500, "{}", listed.body);
    assert!(listed.body.contains("the database") && !listed.body.contains("postgres://"), "{}", listed.body);
    cluster.start();
    let begin = Instant::now();
    while call(&node, "work", "close", &json!({})).status != 200 {
        assert!(begin.elapsed() < Duration::from_secs(60), "it cannot be closed");
        std::thread::sleep(Duration::from_millis(200));
    }
    let messages = node.served.get("/api/sessions/work/messages").body;
    assert!(messages.contains("Do not lose this."), "{messages}");
}

#[test]
fn a_context_that_another_node_has_taken_over_says_so_and_can_be_opened_again() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let database = url.rsplit('/').next().unwrap();
    let (stalled, other) = (node(&url), node(&url));
    assert_eq!(open_context(&stalled, "work").status, 200);
    assert_eq!(call(&stalled, "work", "user", &json!({ "text": "First." })).status, 200);
    let begin = Instant::now();
    // The holder renews its lease again and again.
    loop {
        let expire = "UPDATE session_leases SET expires = now() - interval '1 second'";
        assert!(cluster.psql(database, expire).0);
        if open_context(&other, "work").status == 200 {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "it is never taken over");
    }
    let late = call(&stalled, "work", "user", &json!({ "text": "Too late." }));
    assert_eq!(code(&late), (409, "held".to_owned()), "{}", late.body);
    assert!(late.body.contains("was taken over by another process"), "{}", late.body);
    assert_eq!(code(&open_context(&stalled, "work")), (409, "held".to_owned()));
    assert_eq!(call(&other, "work", "close", &json!({})).status, 200);
    let again = open_context(&stalled, "work");
    assert_eq!((again.status, &again.json()["messages"]), (200, &json!(1)), "{}", again.body);
    assert_eq!(call(&stalled, "work", "close", &json!({})).status, 200);
}

#[test]
fn names_with_a_character_that_the_server_does_not_take_are_stored_without_it() {
    let cluster = Cluster::shared();
    let node = node(&cluster.database());
    let model = json!({ "model": "any\u{0}thing", "window": 100_000, "max_output": 1_000 });
    let opened = call(&node, "work", "open", &model);
    assert_eq!(opened.status, 200, "{}", opened.body);
    assert_eq!(call(&node, "work", "user", &json!({ "text": "Nul \u{0} here." })).status, 200);
    assert_eq!(call(&node, "work", "close", &json!({})).status, 200);
    assert_eq!(node.served.get("/api/sessions/work").json()["title"], "Nul \u{fffd} here.");
    let made = node.served.send("POST", "/api/sessions/work/contexts", "{\"worker\":\"a\\u0000b\"}");
    assert_eq!(made.status, 200, "{}", made.body);
}

/// A program that has read the log and has not ended its transaction, such as a backup.
#[tokio::test]
async fn a_deletion_that_waits_for_a_reader_stops_no_other_process() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let store = open(&url).await;
    let (one, two) = (session("s1"), session("s2"));
    for name in ["s1", "s2"] {
        store.sessions().create(&info(name)).await.unwrap();
    }
    let records = sample_log(7, 60);
    store.message_log().append(&one, &records[..20]).await.unwrap();
    let mut reader = Command::new("psql")
        .args(["-X", "-q", "-d", &url, "-c", "BEGIN; SELECT count(*) FROM log; SELECT pg_sleep(6)"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let database = url.rsplit('/').next().unwrap();
    let reading = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(6)%' AND pid <> pg_backend_pid() \
                   AND datname = current_database()";
    while cluster.psql(database, reading).1 != "1" {
        assert!(begin.elapsed() < Duration::from_secs(5), "the reader does not begin");
    }
    store.sessions().remove(&one).await.unwrap();
    let other = open(&url).await;
    let writing = async {
        let mut longest = Duration::ZERO;
        for record in &records {
            let begin = Instant::now();
            other.message_log().append(&two, std::slice::from_ref(record)).await.unwrap();
            longest = longest.max(begin.elapsed());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        longest
    };
    let (erased, longest) = tokio::join!(store.forget_deleted(), writing);
    assert!(longest < Duration::from_millis(1_500), "{longest:?}");
    assert!(erased.unwrap(), "the reader has ended within the patience");
    reader.wait().unwrap();
}
