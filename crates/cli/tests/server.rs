//! The binary's HTTP server: every route of its document on the demo's session, a session of ten thousand requests, changes
//! against a second process, preferences, the report as a file, and turns: their events, approvals, limits and endings.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]

#[path = "server/approvals.rs"]
mod approvals;
#[path = "server/changed.rs"]
mod changed;
#[path = "server/ending.rs"]
mod ending;
#[path = "server/hosted.rs"]
mod hosted;
#[path = "server/long.rs"]
mod long;
#[path = "server/served.rs"]
mod served;
#[path = "server/turns.rs"]
mod turns;

use std::fs;

use serde_json::{Value, json};

use served::Served;

#[test]
fn every_route_of_the_document_answers_for_the_session_of_the_demo() {
    let served = Served::demo();
    assert!(served.url.starts_with("http://127.0.0.1:"), "{}", served.url);
    let document = served.get("/api/openapi.json").json();
    let mut asked = 0;
    for (path, verbs) in document["paths"].as_object().unwrap() {
        if verbs.get("get").is_none() || path.ends_with("/events") || path.ends_with("/handoff") {
            continue;
        }
        let path = path.replace("{id}", &served.id).replace("{number}", "1");
        let query = if path == "/api/search" { "?q=invoice" } else { "" };
        let answer = served.get(&format!("{path}{query}"));
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert!(answer.body.len() > 20, "{path}: {}", answer.body);
        asked += 1;
    }
    assert!(asked > 30, "{asked}");
    let compaction = served.get(&format!("/sessions/{}/compactions/1", served.id)).body;
    assert!(
        compaction.contains("Needed later") && compaction.contains("Shown in their place"),
        "{compaction}"
    );
}

// S1-17
#[test]
fn a_preference_is_set_in_the_users_own_file() {
    let served = Served::demo();
    let set = |value: Value| {
        served.send("PUT", "/api/preferences/watch.size", &json!({ "value": value }).to_string())
    };
    let answer = set(json!(2048));
    assert_eq!((answer.status, &answer.json()["value"]), (200, &json!("2048")), "{}", answer.body);
    let file = served.home().join(".config/throughline/config.toml");
    assert!(fs::read_to_string(&file).unwrap().contains("size = 2048"));
    let wrong = set(json!("many"));
    assert_eq!(wrong.status, 400, "{}", wrong.body);
    assert!(wrong.body.contains("watch.size"), "{}", wrong.body);
    assert_eq!(set(Value::Null).json()["value"], "4096");
    let other = served.send("PUT", "/api/preferences/permissions.mode", "{\"value\":\"yolo\"}");
    assert_eq!(other.status, 404, "{}", other.body);
}

#[test]
fn compacting_without_a_model_says_what_is_missing_and_changes_nothing() {
    let served = Served::demo();
    let before = served.get(&format!("/api/sessions/{}", served.id)).json();
    let answer = served.send(
        "POST",
        &format!("/api/sessions/{}/compactions", served.id),
        "{\"instructions\":\"Names.\"}",
    );
    assert!([400, 503].contains(&answer.status), "{} {}", answer.status, answer.body);
    assert!(answer.json()["error"]["message"].is_string(), "{}", answer.body);
    assert_eq!(served.get(&format!("/api/sessions/{}", served.id)).json()["records"], before["records"]);
}

#[test]
fn a_change_is_seen_by_the_command_line_and_the_other_way_round() {
    let served = Served::demo();
    let path = format!("/api/sessions/{}/changes", served.id);
    assert_eq!(served.send("POST", &path, "{\"change\":\"drop\",\"turn\":1}").status, 200);
    let printed = served.run(&["messages", "list", &served.id, "--json"]);
    assert!(printed.contains("\"dropped\""), "{printed}");
    served.run(&["context", &served.id, "restore", "1"]);
    let groups = served.get(&format!("/api/sessions/{}/groups", served.id)).json();
    assert_eq!(groups["groups"][0]["status"], "live");
}

#[test]
fn a_report_is_one_file_that_loads_nothing() {
    let served = Served::demo();
    let file = served.home().join("report.html");
    served.run(&["report", &served.id, "-o", file.to_str().unwrap()]);
    let report = fs::read_to_string(&file).unwrap();
    for part in ["The window over time", "Cost by cause", "Compaction 1", "<svg", "<style>"] {
        assert!(report.contains(part), "no {part}");
    }
    for part in ["<script", "src=", "href=", "@import", "url("] {
        assert!(!report.contains(part), "{part}");
    }
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}
