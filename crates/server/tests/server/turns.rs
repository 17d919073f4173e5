//! Requests for turns that are refused before a model is asked.

use serde_json::json;

use crate::harness::Served;

#[tokio::test]
async fn a_turn_needs_a_usable_body_and_a_folder_of_the_server() {
    let served = Served::new().await;
    let turns = format!("/api/sessions/{}/turns", served.id);
    let outside = json!({ "prompt": "Go.", "workspace": served.folder.path() }).to_string();
    for (path, body, status, says) in [
        ("/api/sessions", "{}", 400, "`prompt` is missing"),
        ("/api/sessions", "{\"prompt\":\"  \"}", 400, "`prompt` is empty; give it a text"),
        ("/api/sessions", "{\"prompt\":1}", 400, "`prompt` must be a text"),
        ("/api/sessions", "{\"promt\":\"Go.\"}", 400, "`prompt` is near"),
        ("/api/sessions", "{\"prompt\":\"Go.\",\"workspace\":\"/no/such\"}", 400, "there is no folder"),
        ("/api/sessions", outside.as_str(), 403, "--workspace"),
        (turns.as_str(), "{\"prompt\":\"Go.\",\"workspace\":\".\"}", 400, "no field \\\"workspace"),
        (turns.as_str(), "{\"prompt\":\"Go.\",\"model\":[]}", 400, "`model` must be a text"),
        ("/api/sessions/none/turns", "{\"prompt\":\"Go.\"}", 404, "no session"),
    ] {
        let answer = served.ask("POST", path, body).await;
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.body);
        assert!(answer.body.contains(says), "{path} {body}: {}", answer.body);
    }
    assert_eq!(served.ask("GET", "/api/turns", "").await.json()["total"], 0);
}

#[tokio::test]
async fn what_runs_no_turn_is_not_cancelled_answered_or_joined() {
    let served = Served::new().await;
    let own = format!("/api/sessions/{}", served.id);
    for (method, path, body, status, says) in [
        ("POST", format!("{own}/cancel"), "", 409, "runs no turn"),
        ("POST", format!("{own}/answers/q1"), "{\"answer\":\"once\"}", 404, "runs no turn"),
        ("POST", format!("{own}/answers/q1"), "{\"answer\":\"yes\"}", 400, "`once`, `always`, `deny`"),
        ("POST", format!("{own}/answers/q1"), "{\"answer\":\"once\",\"rule\":\"x\"}", 400, "belongs to"),
        ("GET", format!("{own}/events?stream=turn"), "", 404, "runs here"),
        ("GET", format!("{own}/events?stream=all"), "", 400, "`records` or `turn`"),
    ] {
        let answer = served.ask(method, &path, body).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        assert!(answer.body.contains(says), "{path}: {}", answer.body);
    }
}

#[tokio::test]
async fn files_of_a_folder_that_the_server_was_not_started_for_are_left_alone() {
    let served = Served::elsewhere().await;
    let own = format!("/api/sessions/{}", served.id);
    let change = format!("{own}/changes");
    for (path, body, status) in [
        (change.as_str(), "{\"change\":\"undo\",\"files\":true}", 403),
        (&format!("{own}/turns"), "{\"prompt\":\"Go.\"}", 403),
        (&change, "{\"change\":\"undo\"}", 200),
    ] {
        let answer = served.ask("POST", path, body).await;
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.body);
        assert!(status == 200 || answer.body.contains("--any-workspace"), "{}", answer.body);
    }
}
