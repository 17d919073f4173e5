//! The operations of contexts over HTTP.

use serde_json::{Value, json};

use crate::harness::Served;

async fn call(served: &Served, context: &str, operation: &str, body: Value) -> (u16, Value) {
    let answered =
        served.ask("POST", &format!("/api/contexts/{context}/{operation}"), &body.to_string()).await;
    (answered.status, serde_json::from_str(&answered.body).unwrap())
}

#[tokio::test]
async fn a_turn_of_a_context_goes_over_http() {
    let served = Served::new().await;
    let (status, opened) = call(&served, "mine", "open", json!({ "model": "claude-sonnet-4-5" })).await;
    assert_eq!((status, &opened["resumed"]), (200, &json!(false)), "{opened}");
    assert_eq!(call(&served, "mine", "user", json!({ "text": "Why?" })).await, (200, json!({})));
    let (_, next) = call(&served, "mine", "next_request", json!({})).await;
    assert_eq!(next["body"]["messages"][0]["role"], "user", "{next}");
    let body = json!({ "content": [{ "type": "text", "text": "A comma." }], "stop_reason": "end_turn" });
    let (_, followed) = call(&served, "mine", "answer", json!({ "request": next["id"], "body": body })).await;
    assert_eq!(followed["text"], "A comma.");
    let listed: Value = serde_json::from_str(&served.ask("GET", "/api/contexts", "").await.body).unwrap();
    assert_eq!(listed["contexts"][0]["context"], "mine");
    let session: Value =
        serde_json::from_str(&served.ask("GET", "/api/sessions/mine", "").await.body).unwrap();
    assert_eq!(session["title"], "Why?", "the context is a session of this server: {session}");
    assert_eq!(call(&served, "mine", "close", json!({})).await.0, 200);
    let (_, again) = call(&served, "mine", "open", json!({ "model": "claude-sonnet-4-5" })).await;
    assert_eq!(again["resumed"], true);
}

#[tokio::test]
async fn errors_have_the_codes_of_every_door() {
    let served = Served::new().await;
    let error = async |context: &str, operation: &str, body: Value| {
        let (status, answer) = call(&served, context, operation, body).await;
        (status, answer["error"]["code"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(error("mine", "state", json!({})).await, (404, "unknown_context".to_owned()));
    assert_eq!(
        error("mine", "open", json!({ "model": "of-no-table" })).await,
        (400, "unknown_model".to_owned())
    );
    assert_eq!(error("a%20b", "state", json!({})).await.0, 400, "a space is in no id");
    call(&served, "mine", "open", json!({ "model": "claude-sonnet-4-5" })).await;
    assert_eq!(
        error("mine", "open", json!({ "model": "claude-sonnet-4-5" })).await,
        (409, "already_open".to_owned())
    );
    assert_eq!(error("mine", "next_request", json!({})).await, (409, "nothing_to_answer".to_owned()));
    assert_eq!(error("mine", "user", json!({ "text": 7 })).await, (400, "invalid_input".to_owned()));
    assert_eq!(
        error(&served.id, "open", json!({ "model": "claude-sonnet-4-5" })).await.0,
        200,
        "a stored session is a context, too"
    );
    let (status, taken) = call(&served, "mine", "user", json!({ "text": "Hi.", "key": "a" })).await;
    assert_eq!(status, 400, "{taken}");
    assert!(taken["error"]["message"].as_str().unwrap().contains("Idempotency-Key"), "{taken}");
}

#[tokio::test]
async fn a_repeated_request_with_its_key_changes_nothing() {
    let served = Served::new().await;
    call(&served, "mine", "open", json!({ "model": "claude-sonnet-4-5" })).await;
    let bearer = format!("Bearer {}", served.token);
    for _ in 0..2 {
        let headers =
            [("Host", served.host.as_str()), ("Authorization", &bearer), ("Idempotency-Key", "first")];
        let said = served.send("POST /api/contexts/mine/user", &headers, r#"{"text":"Hi."}"#).await;
        assert_eq!(said.status, 200, "{}", said.body);
    }
    let (_, state) = call(&served, "mine", "state", json!({})).await;
    assert_eq!(state["messages"], 1, "{state}");
}

#[tokio::test]
async fn a_context_that_cannot_be_opened_leaves_no_session() {
    let served = Served::new().await;
    let body = json!({ "user": "ann", "rights": "run" });
    let made = served.ask("POST", "/api/tokens", &body.to_string()).await.json();
    let bearer = format!("Bearer {}", made["secret"].as_str().unwrap_or_else(|| panic!("{made}")));
    // The place of its lock is taken.
    let lock = served.folder.path().join("data/locks/mine.lock");
    std::fs::create_dir_all(&lock).unwrap();
    let headers = [("Host", served.host.as_str()), ("Authorization", bearer.as_str())];
    let open = json!({ "model": "claude-sonnet-4-5" }).to_string();
    let refused = served.send("POST /api/contexts/mine/open", &headers, &open).await;
    assert_eq!(refused.status, 500, "{}", refused.body);
    assert_eq!(served.ask("GET", "/api/sessions/mine", "").await.status, 404, "an empty session is left");
    std::fs::remove_dir(&lock).unwrap();
    let opened = served.send("POST /api/contexts/mine/open", &headers, &open).await;
    assert_eq!(opened.status, 200, "{}", opened.body);
    assert_eq!(served.ask("GET", "/api/sessions/mine", "").await.json()["owner"], "ann");
}
