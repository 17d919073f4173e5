//! Old sessions are deleted, by a command and by a server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use throughline_continuity::SessionInfo;
use throughline_continuity::contract::sample_log;
use throughline_conversation::{Millis, Record, RecordBody, ResultRef, SessionId};
use throughline_resultstore::{ResultRepository as _, StoredResult};
use throughline_store::{AuditEntry, Store, lock_session};

use crate::served::Served;
use crate::stored::{facts, on_store, records_of, store_session};

/// Stores a session of 1970 with records and a stored result.
fn store_old(served: &Served, id: &str) {
    store_session(served, &facts(id, "old"), &sample_log(7, 900));
    let session = SessionId::new(id).unwrap();
    let content = b"a result".to_vec();
    let id = ResultRef::of(&session, &content);
    let result = StoredResult { session, id, tool: "read".to_owned(), content, at: Millis(1) };
    on_store(served, async |store: &Store| store.results().put(&result).await.unwrap());
}

/// Stores the demo's session under another name, a hundred days older.
fn store_demo(served: &Served, id: &str) {
    let older = |record: Record| Record { at: Millis(record.at.0 - 100 * 86_400_000), ..record };
    let records: Vec<Record> = records_of(served, &served.id).into_iter().map(older).collect();
    store_session(served, &SessionInfo { title: "demo".to_owned(), ..facts(id, "") }, &records);
}

/// Pins the beginning of the first message of a session.
fn pin(served: &Served, id: &str) {
    let records = records_of(served, id);
    let (record, text) = records
        .iter()
        .find_map(|record| match &record.body {
            RecordBody::Message(message) => Some((record.seq.0, message.message.text())),
            _ => None,
        })
        .unwrap();
    let text: String = text.chars().take(20).collect();
    let body = json!({ "change": "pin", "record": record, "part": 0, "text": text }).to_string();
    let answer = served.send("POST", &format!("/api/sessions/{id}/changes"), &body);
    assert_eq!(answer.status, 200, "{}", answer.body);
}

fn ids(served: &Served) -> Vec<String> {
    let list = served.get("/api/sessions").json();
    let mut ids: Vec<String> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["session"].as_str().unwrap().to_owned())
        .collect();
    ids.sort_unstable();
    ids
}

#[test]
fn a_prune_deletes_what_is_old_and_leaves_what_is_new_or_open() {
    let served = Served::demo();
    let new = served.id.clone();
    ["a-old", "b-open", "d-old"].iter().for_each(|id| store_old(&served, id));
    store_demo(&served, "c-new");
    // A record of today.
    pin(&served, "c-new");
    let all = ids(&served);
    assert_eq!(all.len(), 5, "{all:?}");
    let _open = lock_session(&served.data(), &SessionId::new("b-open").unwrap()).unwrap();
    let dry = served.run(&["sessions", "prune", "--older-than", "90d", "--dry-run"]);
    assert!(dry.contains("a-old\n") && dry.contains("3 sessions") && dry.contains("Nothing was."), "{dry}");
    assert_eq!(ids(&served), all, "nothing is deleted");
    let refused = served.command(&["sessions", "prune", "--older-than", "90d"]).output().unwrap();
    assert!(!refused.status.success(), "without a terminal, --yes is needed");
    let ran = served.command(&["sessions", "prune", "--older-than", "90d", "--yes"]).output().unwrap();
    let (said, complained) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success() && said.contains("Deleted 2 sessions"), "{said} {complained}");
    assert!(complained.contains("b-open is open in another process"), "{complained}");
    let mut rest = vec!["b-open".to_owned(), "c-new".to_owned(), new];
    rest.sort_unstable();
    assert_eq!(ids(&served), rest);
    let left = on_store(&served, async |store: &Store| {
        store.results().list(&SessionId::new("a-old").unwrap()).await.unwrap().len()
    });
    assert_eq!(left, 0, "its stored results are gone");
    let wrong = served.command(&["sessions", "prune", "--older-than", "soon"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_pin_keeps_an_old_session() {
    let served = Served::demo();
    store_demo(&served, "pinned");
    store_demo(&served, "plain");
    pin(&served, "pinned");
    let older = |record: Record| Record { at: Millis(record.at.0.min(1_000)), ..record };
    let records: Vec<Record> = records_of(&served, "pinned").into_iter().map(older).collect();
    store_session(&served, &facts("old-pin", "old"), &records);
    let prune = |more: &[&str]| {
        served.run(&[&["sessions", "prune", "--older-than", "90d", "--dry-run"], more].concat())
    };
    assert!(prune(&[]).starts_with("old-pin\nplain\n2 sessions"), "{}", prune(&[]));
    let kept = prune(&["--keep-pinned"]);
    assert!(kept.starts_with("plain\n1 session (1 with pins stay)"), "{kept}");
}

#[test]
fn a_server_deletes_by_the_setting_at_its_start() {
    let mut first = Served::demo();
    let (home, new) = (first.shared_home(), first.id.clone());
    store_old(&first, "old");
    on_store(&first, async |store: &Store| {
        let entry = AuditEntry {
            at: Millis(5),
            user: "ann".to_owned(),
            method: "POST".to_owned(),
            path: "/api/sessions".to_owned(),
            session: None,
            status: Some(200),
            remote: "127.0.0.1".to_owned(),
            forwarded: None,
        };
        store.audit_log().append(&entry).await.unwrap();
    });
    assert_eq!(first.get("/api/audit").json()["total"], 1);
    first.end_by("-TERM");
    let settings = home.path().join(".config/throughline");
    std::fs::create_dir_all(&settings).unwrap();
    let write = |text: &str| std::fs::write(settings.join("config.toml"), text).unwrap();
    write("[storage]\nretention = \"soon\"\n");
    let refused = first.command(&["serve", "--port", "0"]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("retention") && said.contains("90d"), "{said}");
    write("[storage]\nretention = \"90d\"\n");
    let served = Served::begin(Arc::clone(&home), &[]);
    let begin = Instant::now();
    while ids(&served) != [new.as_str()] || served.get("/api/audit").json()["total"] != 0 {
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", ids(&served));
        std::thread::sleep(Duration::from_millis(50));
    }
}
