//! What is shown of sessions that were stored from files of other agents.

use std::path::Path;

use serde_json::{Value, json};
use throughline_stored::Storage;
use throughline_watch::store_file;

use crate::harness::Served;
use crate::transcript_log::TranscriptLog;
use crate::transcripts::{PRICED, page_of, shown};

/// A storage of the server's folder.
async fn storage(served: &Served) -> Storage {
    Storage::open(Some(served.folder.path().join("data"))).await.unwrap()
}

#[tokio::test]
async fn an_imported_session_has_the_name_of_its_agent() {
    let served = Served::new().await;
    let storage = storage(&served).await;
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/fixtures");
    for file in ["pi.jsonl", "mini-swe-agent.traj.json", "swe-agent.traj"] {
        store_file(&storage, &fixtures.join(file)).await.unwrap();
    }
    let list = served.ask("GET", "/api/sessions", "").await.json();
    let sessions = list["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 4);
    let page = served.ask("GET", "/", "").await.body;
    for agent in ["pi", "mini-swe-agent", "swe-agent"] {
        assert!(page.contains(&format!("<span class=\"pill\">{agent}</span>")), "{agent}: {page}");
    }
    assert!(!page.contains("data-label=\"Cost\">$0<"), "{page}");
}

/// A session with large results, reads of a file, a compaction and a pause.
fn long_log() -> TranscriptLog {
    let mut log = TranscriptLog::of(PRICED);
    log.user(&["Find the heron."]).calls(
        9_000,
        0,
        "Read",
        &json!({"file_path": "a.rs"}),
        &"heron ".repeat(9_000),
    );
    log.pause = 900;
    log.calls(21_000, 9_000, "Read", &json!({"file_path": "a.rs"}), "one");
    log.answer(22_000, 0, "In line 2.").compact("The heron is in line 2.");
    log.user(&["And the crane?"]).calls(4_000, 3_000, "Bash", &json!({"command": "grep crane"}), "crane");
    log.answer(4_200, 4_000, "In line 3.");
    log
}

#[tokio::test]
async fn a_stored_transcript_has_the_figures_of_its_file() {
    let (served, key) = shown(&long_log()).await;
    let stored =
        store_file(&storage(&served).await, &served.folder.path().join("transcript.jsonl")).await.unwrap();
    let session = stored.session.to_string();
    let file = served.ask("GET", &format!("/api/transcripts/{key}"), "").await.json();
    let own = served.ask("GET", &format!("/api/sessions/{session}"), "").await.json();
    assert!(file["cost_usd"].as_f64().unwrap() > 0.1, "{file}");
    for field in ["requests", "cost_usd", "cost_usd_at_least"] {
        assert_eq!(own[field], file[field], "{field}: {own}");
    }
    let list = |kind: &str, path: &str| {
        let path = format!("/api/{kind}/{path}");
        let served = &served;
        async move { served.ask("GET", &path, "").await.json() }
    };
    let causes = list("sessions", &format!("{session}/cost")).await;
    assert_eq!(causes["causes"], file["causes"]);
    let without_places = |answer: &Value| -> Vec<Value> {
        let mut all = answer["requests"].as_array().unwrap().clone();
        all.iter_mut().for_each(|one| one["record"] = Value::Null);
        all
    };
    let own_requests = without_places(&list("sessions", &format!("{session}/budget")).await);
    let file_requests = without_places(&list("transcripts", &format!("{key}/requests")).await);
    assert_eq!((own_requests.len(), &own_requests), (5, &file_requests));
    let compactions = list("sessions", &format!("{session}/compactions")).await;
    assert_eq!(compactions["compactions"].as_array().unwrap().len(), 1, "{compactions}");
    for rest in ["/cost", "/requests"] {
        let own = page_of(&served, &format!("/sessions/{session}{rest}")).await;
        let file = page_of(&served, &format!("/transcripts/{key}{rest}")).await;
        let head = if rest == "/cost" { "By cause" } else { "Cached" };
        let body = |page: &str| {
            let (_, table) = page.split_once(head).unwrap();
            table.split_once("Keys j k").unwrap().0.to_owned()
        };
        assert_eq!(body(&own), body(&file), "{rest}");
    }
    let overview = page_of(&served, &format!("/sessions/{session}")).await;
    assert!(overview.contains("are not stored") && overview.contains("Compactions 1 −18k"), "{overview}");
}

#[tokio::test]
async fn the_list_has_the_figures_of_stored_transcripts_when_they_are_read() {
    let (served, _) = shown(&long_log()).await;
    store_file(&storage(&served).await, &served.folder.path().join("transcript.jsonl")).await.unwrap();
    let sum = loop {
        let page = served.ask("GET", "/", "").await.body;
        if !page.contains("data-pending") {
            break page;
        }
        tokio::task::yield_now().await;
    };
    let costs: Vec<&str> =
        sum.split("data-label=\"Cost\">").skip(1).filter_map(|part| part.split('<').next()).collect();
    assert!(
        costs.iter().any(|one| costs.iter().filter(|other| *other == one && one.len() > 2).count() == 2),
        "{costs:?}"
    );
}

#[tokio::test]
async fn a_request_and_a_compaction_of_a_stored_transcript_have_their_pages() {
    let (served, _) = shown(&long_log()).await;
    let stored =
        store_file(&storage(&served).await, &served.folder.path().join("transcript.jsonl")).await.unwrap();
    let own = format!("/sessions/{}", stored.session);
    let request = served.ask("GET", &format!("{own}/requests/4"), "").await;
    assert_eq!(request.status, 303, "{}", request.body);
    assert!(request.head.contains(&format!("{own}/conversation?request=4#request-4")), "{}", request.head);
    let missing = served.ask("GET", &format!("{own}/requests/6"), "").await;
    assert_eq!(missing.status, 404);
    let conversation = served.ask("GET", &format!("{own}/conversation"), "").await.body;
    assert!(
        conversation.contains("id=\"compaction-1\"") && conversation.contains("id=\"request-5\""),
        "{conversation}"
    );
    let (_, link) = conversation.split_once(&format!("href=\"{own}/records/")).unwrap();
    let record = link.split('"').next().unwrap();
    let whole = page_of(&served, &format!("{own}/records/{record}")).await;
    assert!(whole.contains("heron heron"), "{whole}");
    let compaction = page_of(&served, &format!("{own}/compactions/1")).await;
    assert!(compaction.contains("a summary that is not recorded"), "{compaction}");
}
