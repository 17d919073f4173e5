//! What the views say of a session.

use serde_json::{Value, json};

use crate::harness::{HOSTILE, Served, open};

#[tokio::test]
async fn budget_cost_turns_and_search_tell_of_the_session() {
    let served = Served::new().await;
    let budget = served.of_session("/budget?limit=1&offset=1").await;
    assert_eq!((&budget["total"], &budget["requests"][0]["request"]), (&json!(2), &json!(2)));
    assert!(budget["requests"][0]["window"]["used"]["conversation"].as_u64().unwrap() > 0);
    let groups = served.of_session("/groups").await;
    assert_eq!(groups["groups"][0]["request"], HOSTILE);
    assert_eq!(groups["groups"][1]["request"], "Where is it?");
    let pieces = served.of_session("/requests/2/pieces").await;
    let kinds: Vec<&str> =
        pieces["pieces"].as_array().unwrap().iter().map(|piece| piece["kind"].as_str().unwrap()).collect();
    assert!(kinds.ends_with(&["user", "assistant", "user"]) || kinds.contains(&"tail"), "{kinds:?}");
    let first = pieces["pieces"].as_array().unwrap().iter().find(|piece| piece["kind"] == "user").unwrap();
    assert_eq!((&first["source"]["turn"], &first["text"]), (&json!(1), &json!(HOSTILE)));
    for (words, count) in [("HERON", 2), ("heron%20noted", 1), ("absent-word", 0), ("line", 1)] {
        let hits = served.ask("GET", &format!("/api/search?q={words}"), "").await.json();
        assert_eq!(
            hits["hits"].as_array().unwrap().iter().filter(|hit| hit["kind"] != "title").count(),
            count,
            "{words}: {hits}"
        );
    }
    assert_eq!(served.ask("GET", "/api/search", "").await.status, 400);
}

#[tokio::test]
async fn a_log_that_grows_is_read_again() {
    let served = Served::new().await;
    assert_eq!(served.of_session("/requests").await["total"], 2);
    let mut session = open(served.folder.path(), Some(&served.id), &["Three."]).await;
    session.send("Count.").await.unwrap();
    assert_eq!(served.of_session("/requests").await["total"], 3);
    session.close().await.unwrap();
    assert_eq!(served.of_session("/groups").await["groups"][2]["request"], "Count.");
}

// S1-15
#[tokio::test]
async fn the_state_of_continuity_follows_the_stored_contexts() {
    let served = Served::new().await;
    let state = served.of_session("/continuity").await;
    assert_eq!(
        (&state["state"], &state["contexts"], &state["agent"]),
        (&json!("log"), &json!(0), &Value::Null)
    );
    // S1-16
    let made = served.ask("POST", &format!("/api/sessions/{}/contexts", served.id), "{}").await;
    assert_eq!(made.status, 200, "{}", made.body);
    assert!(made.json()["text"].as_str().unwrap().contains("Where is it?"), "{}", made.body);
    let state = served.of_session("/continuity").await;
    assert_eq!((&state["state"], &state["newest"]), (&json!("preserved"), &json!("refresh")), "{state}");
    let mut session = open(served.folder.path(), Some(&served.id), &["Three."]).await;
    session.send("Count.").await.unwrap();
    session.close().await.unwrap();
    let state = served.of_session("/continuity").await;
    assert_eq!(state["state"], "behind");
    assert!(state["behind"].as_u64().unwrap() > 0, "{state}");
}
