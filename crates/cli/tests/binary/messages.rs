//! Lists of groups, and all that is in one.

use serde_json::Value;

use crate::lived::Lived;
use crate::ran::assert_says;
use crate::sample::sample;

// S4-01 S4-23 S4-24
#[test]
fn the_list_has_a_line_for_each_group_and_the_tokens_of_its_last_answer() {
    let lived = Lived::new();
    let out = lived.run(&["messages", "list", &lived.id]).done();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 4, "{out}");
    let header: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(header, ["TURN", "STATUS", "VIEW", "AGE", "MESSAGES", "CALLS", "CONTEXT", "REQUEST"]);
    // Prompt (cached or not) and completion together: 2,000 + 200 + 30 + 4.
    assert_says(lines[1], &["1", "live", "yes", "2,234", "What does MARK end with?"]);
    assert_says(lines[3], &["3", "12,345", "Say three."]);
    // The name for one is a name for all; no number is the newest ones.
    assert_eq!(lived.run(&["message", "list", &lived.id, "3"]).done().lines().count(), 4);
    let newest = lived.run(&["messages", "list", &lived.id, "1"]).done();
    assert_says(&newest, &["Say three.", "1 of 3 turns; to list all: throughline messages list"]);
    assert!(!newest.contains("Say two."), "{newest}");
    let json = lived.run(&["messages", "list", &lived.id, "--json"]).json();
    assert_eq!(
        (&json[0]["messages"], &json[0]["calls"], &json[0]["tokens"]),
        (&4.into(), &1.into(), &2_234.into())
    );
}

// S4-25
#[test]
fn the_list_says_what_became_of_a_group_and_how_it_is_shown() {
    let lived = Lived::new();
    lived.run(&["context", &lived.id, "drop", "1"]).done();
    lived.run(&["undo", &lived.id]).done();
    let json = lived.run(&["messages", "list", &lived.id, "--json"]).json();
    let of = |at: usize| (json[at]["status"].as_str().unwrap(), json[at]["shown"].as_str().unwrap());
    assert_eq!((of(0), of(1), of(2)), (("dropped", "no"), ("live", "yes"), ("undone", "no")));
    let statuses = |group: &str| {
        let shown = lived.run(&["messages", "show", &lived.id, group, "--json"]).json();
        let parts = shown["parts"].as_array().unwrap().clone();
        parts.iter().map(|part| part["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(statuses("1"), ["dropped"; 4]);
    assert_eq!(statuses("2"), ["completed"; 2]);
    assert_eq!(statuses("3"), ["undone"; 2]);
}

// S4-23 S4-24 S4-25
#[test]
fn a_group_is_shown_whole_and_each_part_has_the_id_that_a_query_knows() {
    let lived = Lived::new();
    let shown = lived.run(&["messages", "show", &lived.id, "1", "--json"]).json();
    let parts = shown["parts"].as_array().unwrap();
    let of = |name: &str| parts.iter().map(|part| part[name].clone()).collect::<Vec<Value>>();
    assert_eq!(of("kind"), ["text", "tool_call", "tool_result", "text"]);
    assert_eq!(of("status"), ["completed", "tool_call", "completed", "completed"]);
    // All messages of one response show one figure; what the user said was brought by none.
    assert_eq!(of("tokens"), [Value::Null, 1_234.into(), 1_234.into(), 2_234.into()]);
    for part in parts {
        assert_eq!(part["id"].as_u64().unwrap(), part["record"].as_u64().unwrap() * 10_000);
    }
    let stored = &parts[2]["stored"][0];
    assert_eq!((&stored["tool"], stored["bytes"].as_u64() > Some(4_096)), (&"shell".into(), true));

    let out = lived.run(&["messages", "show", &lived.id, "1"]).done();
    let id = parts[1]["id"].to_string();
    assert_says(
        &out,
        &[
            &format!(
                "turn 1 of session {} · live · in view: yes · 4 messages · 1 call · 2,234 tokens",
                lived.id
            ),
            &format!("── {id} · assistant (claude-sonnet-4-5) · call of shell, call_1 · tool_call · "),
            "· 1,234 tokens",
            "\"command\": \"seq 1 2000; echo MARK\"",
            &format!("read_result ref_id={}", stored["ref"]),
            "What does MARK end with?",
            "It ends with MARK.",
        ],
    );
}

#[test]
fn the_demo_shows_summaries_and_what_a_compaction_took_away() {
    let demo = sample();
    let table = demo.run(&["summaries", &demo.id]).done();
    let rows = demo.run(&["summaries", &demo.id, "--json"]).json();
    let rows = rows.as_array().unwrap();
    assert!(!rows.is_empty(), "{table}");
    // One before the user's last request, one behind it.
    let in_force = rows.iter().filter(|row| row["status"] == "in_force").count();
    assert!((1..=2).contains(&in_force), "{table}");
    assert_eq!(table.lines().count(), rows.len() + 1);
    assert_says(&table, &["RECORD", "COVERS", "EXTENDS", "active"]);

    let newest = demo.run(&["diff", &demo.id, "--json"]).json();
    let number = newest["of"].as_u64().unwrap();
    assert_eq!(newest, demo.run(&["diff", &demo.id, &number.to_string(), "--json"]).json());
    let mut covered = 0;
    for number in 1..=number {
        let diff = demo.run(&["diff", &demo.id, &number.to_string(), "--json"]).json();
        let (before, after) = (diff["before"]["tokens"].as_u64(), diff["after"]["tokens"].as_u64());
        assert!(after < before, "compaction {number}: {before:?} to {after:?}");
        covered += diff["covers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|cover| cover["messages"].as_array().unwrap().len())
            .sum::<usize>();
        let text = demo.run(&["diff", &demo.id, &number.to_string()]).done();
        assert_says(&text, &["rules, pins, open steps and the last request, word for word: ", ", 0 missing"]);
        assert_says(
            &text,
            &[&format!("compaction {number} of "), "trigger: ", "messages ", "undo", "--compaction"],
        );
        for one in diff["replaced"].as_array().unwrap() {
            assert_says(&text, &[one["stored"].as_str().unwrap(), one["tool"].as_str().unwrap()]);
            assert!(one["before_bytes"].as_u64() > one["after_bytes"].as_u64(), "{one}");
        }
        for cover in diff["covers"].as_array().unwrap() {
            if let Some(summary) = cover["summary"].as_str() {
                assert_says(&text, &[summary.lines().next().unwrap()]);
            }
        }
    }
    assert!(covered > 0);
    assert_says(
        &demo.run(&["diff", &demo.id, "99"]).failed(),
        &["there is no compaction 99", "compactions 1 to "],
    );
}
