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
#[path = "server/deployed.rs"]
mod deployed;
#[path = "server/disconnected.rs"]
mod disconnected;
#[path = "server/ending.rs"]
mod ending;
#[path = "server/hosted.rs"]
mod hosted;
#[path = "server/long.rs"]
mod long;
#[path = "server/opened.rs"]
mod opened;
#[path = "server/reached.rs"]
mod reached;
#[path = "server/retained.rs"]
mod retained;
#[path = "server/served.rs"]
mod served;
#[path = "server/stored.rs"]
mod stored;
#[path = "server/tls.rs"]
mod tls;
#[path = "server/transcript.rs"]
#[allow(dead_code, reason = "the suite `browser` adds to one")]
mod transcript;
#[path = "server/transcripts.rs"]
mod transcripts;
#[path = "server/turns.rs"]
mod turns;
#[path = "server/users.rs"]
mod users;

use std::fs;

use serde_json::{Value, json};

use hosted::Hosted;
use served::Served;
use throughline_testserver::{Answer, Script};

#[test]
fn every_route_of_the_document_answers_for_the_session_of_the_demo() {
    let served = Served::demo();
    assert!(served.url.starts_with("http://127.0.0.1:"), "{}", served.url);
    let document = served.get("/api/openapi.json").json();
    let result = served.result();
    let mut asked = 0;
    for (path, verbs) in document["paths"].as_object().unwrap() {
        if verbs.get("get").is_none() || path.ends_with("/events") || path.ends_with("/handoff") {
            continue;
        }
        // The answers of transcripts are looked at where there is one.
        if path.contains("{transcript}") {
            continue;
        }
        let path = path.replace("{id}", &served.id).replace("{number}", "1").replace("{ref}", &result);
        let query = if path.starts_with("/api/search") { "?q=invoice" } else { "" };
        let answer = served.get(&format!("{path}{query}"));
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert!(answer.body.len() > 14, "{path}: {}", answer.body);
        asked += 1;
    }
    assert!(asked > 30, "{asked}");
    let compaction = served.get(&format!("/sessions/{}/compactions/1", served.id)).body;
    assert!(
        compaction.contains("Needed later") && compaction.contains("Shown in their place"),
        "{compaction}"
    );
}

#[test]
fn a_large_result_is_read_part_by_part_searched_and_downloaded() {
    let served = Served::demo();
    let (id, result) = (&served.id, served.result());
    let own = format!("/api/sessions/{id}/results/{result}");
    let whole = served.get(&format!("{own}/content")).body;
    let (mut text, mut offset) = (String::new(), json!(0));
    while let Some(at) = offset.as_u64() {
        let part = served.get(&format!("{own}?offset={at}&limit=1000")).json();
        assert_eq!(part["bytes"], whole.len());
        text.push_str(part["text"].as_str().unwrap());
        offset = part["next_offset"].clone();
    }
    assert_eq!(text, whole);
    let line = whole.lines().nth(40).unwrap();
    let found = served.get(&format!("{own}?q={}", line.replace(' ', "+"))).json();
    assert!(found["text"].as_str().unwrap().contains(line), "{found}");
    for (path, status) in [
        (format!("/api/sessions/{id}/results/r-0"), 404),
        (format!("/api/sessions/{id}/results/r-0/content"), 404),
        (format!("{own}?limit=0"), 400),
        (format!("{own}?offset={}", whole.len() + 1), 400),
    ] {
        let answer = served.get(&path);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        assert!(answer.json()["error"]["message"].is_string());
    }
    let page = served.get(&format!("/sessions/{id}/results/{result}")).body;
    assert!(page.contains("bytes 0 to 16,384 of ") && page.contains("later →"), "{page}");
    let records = served.get(&format!("/api/sessions/{id}/export")).body;
    let named = records.lines().find(|line| line.contains(&format!("ref_id=\\\"{result}\\\""))).unwrap();
    let record = serde_json::from_str::<Value>(named).unwrap()["seq"].clone();
    let page = served.get(&format!("/sessions/{id}/records/{record}")).body;
    assert!(page.contains(&format!("/sessions/{id}/results/{result}")), "{page}");
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
fn the_pages_of_what_outlives_a_turn_show_it() {
    let served = Served::demo();
    let own = format!("/sessions/{}", served.id);
    served.run(&["memos", "add", "Use tabs, says the <b>walrus</b>.", "--tag", "style"]);
    assert_eq!(served.send("POST", &format!("/api{own}/contexts"), "{}").status, 200);
    let shows = |path: &str, parts: &[&str]| {
        let page = served.get(path);
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        for part in parts {
            assert!(page.body.contains(part), "{path}: no {part:?} in {}", page.body);
        }
    };
    let summaries = served.get(&format!("/api{own}/summaries")).json();
    let first = summaries["summaries"][0]["first_line"].as_str().unwrap().to_owned();
    shows(&format!("{own}/summaries"), &["replaces records", "<pre", &first]);
    shows(&format!("{own}/contexts"), &["for inspector", "refresh", "<pre"]);
    shows(&format!("{own}/checkpoints"), &["No checkpoint was recorded yet."]);
    shows("/memos?q=walrus", &["&lt;b&gt;walrus&lt;/b&gt;", "style"]);
    shows("/memos?tag=none", &["no such memo"]);
    shows("/preferences", &["watch.size", "4096", "data-put"]);
    shows(&own, &["/contexts\"", "/checkpoints\"", "href=\"/memos\"", "href=\"/preferences\""]);
}

#[test]
fn the_page_of_checkpoints_has_their_figures_and_handoffs() {
    let script = Script::new().then(Answer::text("Fine.")).repeat_last();
    let hosted = Hosted::new(script, &["--policy", "dex"]);
    let id = hosted.done("Tidy the <i>attic</i>.");
    let stored = hosted.served.get(&format!("/api/sessions/{id}/checkpoints")).json();
    assert!(stored["total"].as_u64() > Some(0), "{stored}");
    let page = hosted.served.get(&format!("/sessions/{id}/checkpoints"));
    assert_eq!(page.status, 200);
    for part in ["checkpoint 1", " requests, ", "handoff", "continuation_prompt", "&lt;i&gt;attic&lt;/i&gt;"]
    {
        assert!(page.body.contains(part), "no {part:?} in {}", page.body);
    }
}

#[test]
fn an_undo_that_deletes_asks_for_its_turn_again_and_deletes_it() {
    let served = Served::demo();
    let folder = served.home().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[undo]\nmode = \"delete\"\n").unwrap();
    let path = format!("/api/sessions/{}/changes", served.id);
    let groups = || served.get(&format!("/api/sessions/{}/groups", served.id)).json();
    let all = groups()["groups"].as_array().unwrap().clone();
    let turn = all.iter().rfind(|group| group["status"] == "live").unwrap()["group"].to_string();
    let refused = served.send("POST", &path, "{\"change\":\"undo\"}");
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert!(refused.body.contains(&format!("delete turn {turn} permanently")), "{}", refused.body);
    let files = served.send("POST", &path, "{\"change\":\"undo\",\"files\":true}");
    assert!(files.status == 400 && files.body.contains("restores no files"), "{}", files.body);
    assert_eq!(groups()["groups"], json!(all), "nothing has changed");
    let page = served.get(&format!("/sessions/{}/turns", served.id)).body;
    assert!(page.contains("Undo last turn (deletes it)"), "{page}");

    let body = json!({ "change": "undo", "confirm": turn }).to_string();
    let deleted = served.send("POST", &path, &body);
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    assert_eq!(deleted.json()["deleted"]["group"].to_string(), turn, "{}", deleted.body);
    let left = groups()["groups"].as_array().unwrap().clone();
    let turn: u64 = turn.parse().unwrap();
    let status = left.iter().find(|group| group["group"] == turn).map(|group| group["status"].clone());
    assert!(status.is_none_or(|status| status == "removed"), "{left:?}");
}

#[test]
fn a_report_is_one_file_that_loads_nothing() {
    let served = Served::demo();
    let file = served.home().join("report.html");
    served.run(&["report", &served.id, "-o", file.to_str().unwrap()]);
    let report = fs::read_to_string(&file).unwrap();
    for part in [
        "The window, request by request",
        "What it cost",
        "Compaction 1",
        "<svg",
        "<style>",
        "What it changed",
    ] {
        assert!(report.contains(part), "no {part}");
    }
    for part in ["<script", "src=", "href=", "@import", "url("] {
        assert!(!report.contains(part), "{part}");
    }
    // The pieces of a request, with the text of those that it has new.
    let piece = served.get(&format!("/api/sessions/{}/requests/2/pieces", served.id)).json();
    let text = piece["pieces"].as_array().unwrap().last().unwrap()["text"].as_str().unwrap().to_owned();
    let first = text.lines().find(|line| line.len() > 20 && !line.contains(['<', '>', '&', '"'])).unwrap();
    assert!(report.contains(first), "{first:?} is not in the report");
    assert!(report.len() < 6 * 1024 * 1024, "{}", report.len());
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}
