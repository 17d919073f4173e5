//! Changes, deletions and the export.

use serde_json::json;

use crate::harness::{Served, open};

#[tokio::test]
async fn undo_redo_drop_restore_and_pin_change_what_the_model_sees() {
    let served = Served::new().await;
    let path = format!("/api/sessions/{}/changes", served.id);
    let mut shown = Vec::new();
    for body in [
        "{\"change\":\"undo\"}",
        "{\"change\":\"redo\"}",
        "{\"change\":\"drop\",\"turn\":1}",
        "{\"change\":\"restore\",\"turn\":1}",
        "{\"change\":\"pin\",\"turn\":1}",
        "{\"change\":\"unpin\",\"pin\":1}",
        "{\"change\":\"window\",\"turns\":1}",
    ] {
        let answer = served.ask("POST", &path, body).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.body);
        shown.push(answer.json()["after"]["messages"].as_u64().unwrap());
    }
    assert_eq!(shown, [2, 4, 2, 4, 4, 4, 2]);
    for (status, body, says) in [
        (409, "{\"change\":\"redo\"}", "redo"),
        (409, "{\"change\":\"drop\",\"turn\":99}", "99"),
        (400, "{\"change\":\"drop\"}", "`turn` is missing"),
        (400, "{\"change\":\"und\"}", "`undo` is near"),
    ] {
        let answer = served.ask("POST", &path, body).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.body);
        assert!(answer.body.contains(says), "{body}: {}", answer.body);
    }
}

#[tokio::test]
async fn a_session_that_is_open_elsewhere_is_not_changed() {
    let served = Served::new().await;
    let session = open(served.folder.path(), Some(&served.id), &[]).await;
    let own = format!("/api/sessions/{}", served.id);
    let confirm = json!({ "confirm": served.id }).to_string();
    for (method, path, body) in [
        ("POST", format!("{own}/changes"), "{\"change\":\"undo\"}"),
        ("DELETE", own.clone(), confirm.as_str()),
        ("DELETE", format!("{own}/groups/1"), "{\"confirm\":\"1\"}"),
    ] {
        let answer = served.ask(method, &path, body).await;
        assert_eq!(answer.status, 409, "{method} {path}: {}", answer.body);
        assert!(answer.body.contains("open in another process"), "{}", answer.body);
    }
    session.close().await.unwrap();
    assert_eq!(served.of_session("/groups").await["total"], 2);
}

#[tokio::test]
async fn deletion_needs_its_confirmation_and_leaves_nothing() {
    let served = Served::new().await;
    let own = format!("/api/sessions/{}", served.id);
    let turn = format!("{own}/groups/1");
    for body in ["{}", "{\"confirm\":\"2\"}", "{\"confirm\":1}"] {
        assert_eq!(served.ask("DELETE", &turn, body).await.status, 400, "{body}");
    }
    assert_eq!(served.of_session("/messages").await["total"], 2);
    let deleted = served.ask("DELETE", &turn, "{\"confirm\":\"1\"}").await;
    assert_eq!((deleted.status, &deleted.json()["group"]), (200, &json!(1)), "{}", deleted.body);
    assert_eq!(served.of_session("/messages").await["total"], 1);
    let export = served.ask("GET", &format!("{own}/export"), "").await;
    assert!(export.body.contains("Where is it?") && !export.body.contains("alert(1)"), "{}", export.body);
    assert_eq!(served.ask("DELETE", &format!("{own}/groups/99"), "{\"confirm\":\"99\"}").await.status, 404);

    assert_eq!(served.ask("DELETE", &own, "{\"confirm\":\"last\"}").await.status, 400);
    let deleted = served.ask("DELETE", &own, &json!({ "confirm": served.id }).to_string()).await;
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    assert_eq!(served.ask("GET", &own, "").await.status, 404);
    assert_eq!(served.ask("GET", "/api/sessions", "").await.json()["total"], 0);
}
