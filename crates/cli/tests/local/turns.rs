//! Sessions with the real server: its prompt cache, a compaction, a window that is learned.

use serde_json::Value;

use crate::llama::Llama;
use crate::place::Place;

/// About 900 tokens of words that look like work.
fn words(turn: usize) -> String {
    let line =
        |row: usize| format!("step {row} of part {turn}: check value {} of the table\n", row * 31 + turn);
    (0..50).map(line).collect()
}

/// The receipts of a session, oldest first.
fn receipts(place: &Place, session: &str) -> Vec<Value> {
    let output = place.bare(&["export", session]).output().unwrap();
    let log = String::from_utf8(output.stdout).unwrap();
    let records = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.filter_map(|record| Some(record.get("receipt")?.clone())).collect()
}

#[test]
fn a_session_over_a_compaction_reads_the_server_s_cache() {
    let (llama, place) = (Llama::start(8_192), Place::new());
    let short = ["--window", "8192"];
    let first = llama.turn(&place, &short, &words(0));
    let session = first["session"].as_str().unwrap().to_owned();
    for turn in 1..7 {
        let again = [&short[..], &["--resume", &session]].concat();
        llama.turn(&place, &again, &words(turn));
    }
    let all = receipts(&place, &session);
    assert!(all.len() >= 7, "{all:?}");
    assert!(all.iter().any(|receipt| !receipt["compaction"].is_null()), "nothing was compacted");
    let third = &all[2];
    assert!(third["reported"]["cache_read"].as_u64() > Some(1_000), "the server has its cache: {third}");
}

#[test]
fn a_window_that_the_server_names_in_its_refusal_is_learned() {
    let (llama, place) = (Llama::start(8_192), Place::new());
    let wrong = ["--window", "32768"];
    let long: String = (0..32).map(words).collect();
    let done = llama.turn(&place, &wrong, &long);
    assert!(["done", "cut_off"].contains(&done["outcome"].as_str().unwrap()), "{done}");
    // The session knows the window from here on.
    let session = done["session"].as_str().unwrap();
    let again = llama.turn(&place, &["--resume", session], "Say bye.");
    assert!(["done", "cut_off"].contains(&again["outcome"].as_str().unwrap()), "{again}");
}
