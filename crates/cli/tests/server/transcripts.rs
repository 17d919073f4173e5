//! Transcripts of other agents over HTTP: every route, what it says, what a user may see of it, and the report of a file.

use std::fs;

use serde_json::Value;

use crate::served::{Answered, Served};
use crate::transcript::{FIRST, ID, write_transcript};
use crate::users::token;

/// A server that shows a session of Claude Code in the folder `work`, and its name in paths.
fn served() -> (Served, String) {
    let demo = Served::demo();
    let work = demo.home().join("work");
    fs::create_dir_all(&work).unwrap();
    fs::create_dir_all(demo.home().join("other")).unwrap();
    let folder = demo.home().join("transcripts");
    write_transcript(&folder, &work, FIRST);
    let served = Served::begin(demo.shared_home(), &["--claude", folder.to_str().unwrap()]);
    let key =
        served.get("/api/transcripts").json()["transcripts"][0]["transcript"].as_str().unwrap().to_owned();
    (served, key)
}

/// The paths about one transcript in the document of the server.
fn paths(served: &Served, key: &str) -> Vec<String> {
    let document = served.get("/api/openapi.json").json();
    let paths = document["paths"].as_object().unwrap().keys().filter(|path| path.contains("{transcript}"));
    paths.map(|path| path.replace("{transcript}", key).replace("{number}", "1")).collect()
}

#[test]
fn every_route_of_a_transcript_answers_and_nothing_is_stored() {
    let (served, key) = served();
    let before = served.get("/api/sessions").json()["total"].clone();
    let paths = paths(&served, &key);
    assert!(paths.len() > 12, "{paths:?}");
    for path in &paths {
        let answer = served.get(path);
        let expected = if path.ends_with("/requests/1") && !path.starts_with("/api") { 303 } else { 200 };
        assert_eq!(answer.status, expected, "{path}: {}", answer.body);
        let missing = served.get(&path.replace(&key, "absent-1"));
        assert_eq!(missing.status, 404, "{path}: {}", missing.body);
    }
    assert_eq!(served.get("/api/sessions").json()["total"], before);
    let of = |rest: &str| served.get(&format!("/api/transcripts/{key}{rest}")).json();
    let all = of("");
    assert_eq!(
        (&all["agent"], &all["session"], &all["title"]),
        (&"claude".into(), &ID.into(), &FIRST.into()),
        "{all}"
    );
    assert_eq!(
        (&all["turns"], &all["requests"], &all["compactions"]),
        (&3.into(), &8.into(), &2.into()),
        "{all}"
    );
    assert_eq!(all["subagents"][0]["title"], "Look through the tests.", "{all}");
    // What it cost by cause is what its requests cost together.
    let sum = |list: &Value, field: &str| {
        list.as_array().unwrap().iter().map(|one| one[field].as_f64().unwrap()).sum::<f64>()
    };
    let requests = of("/requests?limit=200");
    let whole = all["cost_usd"].as_f64().unwrap();
    assert!(whole > 0.1 && (sum(&all["causes"], "dollars") - whole).abs() < 1e-6, "{all}");
    assert!((sum(&requests["requests"], "dollars") - whole).abs() < 1e-6, "{requests}");
    let audited: Value = serde_json::from_str(&served.run(&[
        "audit",
        "--no-policies",
        "--json",
        &format!("transcripts/{ID}.jsonl"),
    ]))
    .unwrap();
    assert!((audited["totals"]["dollars"].as_f64().unwrap() - whole).abs() < 1e-6, "{audited}");
    let idle = &requests["requests"][4];
    assert_eq!((&idle["miss"], &idle["calls"][0]), (&"the cache expired".into(), &"Grep".into()), "{idle}");
    assert!(
        idle["idle_ms"].as_i64().unwrap() >= 3_600_000 && idle["missed_dollars"].as_f64().unwrap() > 0.0,
        "{idle}"
    );

    let compactions = of("/compactions");
    assert_eq!(compactions["total"], 2, "{compactions}");
    assert_eq!(compactions["compactions"][1]["before_tokens"], 8_004, "{compactions}");
    assert!(
        compactions["compactions"][1]["summary"].as_str().unwrap().contains("being continued"),
        "{compactions}"
    );
    let second = of("/compactions/2");
    assert!(second["needed"]["names"].to_string().contains("round_half_even_for_statements"), "{second}");
    // The edit quotes a line that left with the first one.
    let first = of("/compactions/1");
    assert!(first["needed"]["lines"].to_string().contains("return int(total)"), "{first}");
    assert_eq!(served.get(&format!("/api/transcripts/{key}/compactions/3")).status, 404);
    assert_eq!(served.get(&format!("/api/transcripts/{key}/records/99/content")).status, 404);
    let result = served.get(&format!("/api/transcripts/{key}/records/4/content"));
    assert!(result.head.contains("text/plain") && result.body.contains("def round_cents"), "{}", result.body);
}

#[test]
fn words_are_found_in_transcripts_and_lead_to_their_records() {
    let (served, key) = served();
    let found = served.get("/api/search/transcripts?q=DEF%20round_cents").json();
    let hits = found["hits"].as_array().unwrap();
    assert_eq!(
        (&found["unsearched"], found["total"].as_u64()),
        (&0.into(), Some(hits.len() as u64)),
        "{found}"
    );
    let hit = hits.iter().find(|hit| hit["record"] == 4).unwrap();
    assert_eq!((&hit["transcript"], &hit["kind"]), (&Value::from(key.as_str()), &"result".into()), "{hit}");
    assert!(hit["excerpt"].as_str().unwrap().contains("def round_cents"), "{hit}");
    let sub = served.get("/api/search/transcripts?q=Look%20through%20tests").json();
    let of_sub = |hit: &Value| hit["transcript"].as_str().unwrap().starts_with(&format!("{key}."));
    assert!(sub["hits"].as_array().unwrap().iter().any(of_sub), "{sub}");
    assert_eq!(served.get("/api/search/transcripts?q=round_cent&whole=true").json()["total"], 0);
    assert_eq!(served.get("/api/search/transcripts?q=nowhere_to_be_found").json()["total"], 0);
    assert_eq!(served.get("/api/search/transcripts").status, 400);
    let page = served.get("/search?q=round_cents").body;
    assert!(
        page.contains(&format!("/transcripts/{key}/records/4")) && page.contains("<mark>round_cents</mark>"),
        "{page}"
    );
}

#[test]
fn a_user_sees_the_transcripts_of_its_folders_and_no_other_by_no_path() {
    let (served, key) = served();
    let get = |token: &str, path: &str| -> Answered { served.send_as(token, "GET", path, "") };
    let own = token(&served, "ann", "read", &["work"]);
    let other = token(&served, "bob", "read", &["other"]);
    assert_eq!(get(&own, "/api/transcripts").json()["total"], 1);
    assert_eq!(get(&other, "/api/transcripts").json()["total"], 0);
    assert!(get(&own, "/").body.contains(FIRST));
    assert!(!get(&other, "/").body.contains(&key));
    assert!(get(&own, "/api/search/transcripts?q=round_cents").json()["total"].as_u64().unwrap() > 0);
    assert_eq!(get(&other, "/api/search/transcripts?q=round_cents").json()["total"], 0);
    assert!(!get(&other, "/search?q=round_cents").body.contains(&key));
    let absent = get(&other, "/api/transcripts/absent").body;
    for path in paths(&served, &key).iter().chain(&paths(&served, &format!("{key}.agent-a1"))) {
        assert_eq!(get(&other, path).status, 404, "{path}");
        if path.starts_with("/api") {
            assert_eq!(
                get(&other, path).body.replace(&format!("{key}.agent-a1"), "absent").replace(&key, "absent"),
                absent,
                "{path}"
            );
        }
        assert!(get(&own, path).status < 400 || path.contains(".agent-a1/compactions/1"), "{path}");
    }
}

#[test]
fn the_report_of_a_file_is_one_file_that_loads_nothing() {
    let (served, _) = served();
    let file = format!("transcripts/{ID}.jsonl");
    served.run(&["report", &file, "-o", "report.html"]);
    let report = fs::read_to_string(served.home().join("report.html")).unwrap();
    for part in [
        FIRST,
        "The window, request by request",
        "What it cost",
        "Compaction 2",
        "Cost by tool",
        "<svg",
        "<style>",
    ] {
        assert!(report.contains(part), "no {part}");
    }
    for part in ["<script", "src=", "href=", "@import", "url("] {
        assert!(!report.contains(part), "{part}");
    }
    let refused = served.command(&["report", &file, "-o", &file]).output().unwrap();
    assert!(
        !refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("is the transcript")
    );
    let odd = served.home().join("odd.jsonl");
    fs::write(&odd, "{\"a\": 1}\n").unwrap();
    let refused = served.command(&["report", "odd.jsonl", "-o", "r.html"]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("odd.jsonl"), "{said}");
}
