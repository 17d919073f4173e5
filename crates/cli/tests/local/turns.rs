//! Sessions with the real server: its prompt cache, a compaction, a window that is learned.

use std::path::Path;

use serde_json::Value;
use throughline_conversation::{Receipt, Record, RecordBody};

use crate::llama::Llama;
use crate::place::Place;

/// Turns until there must have been two compactions.
const MOST_TURNS: usize = 24;

/// This many lines that look like work, of about 18 tokens each.
fn words(turn: usize, lines: usize) -> String {
    let line =
        |row: usize| format!("step {row} of part {turn}: check value {} of the table\n", row * 31 + turn);
    (0..lines).map(line).collect()
}

/// The receipts of a session, oldest first.
fn receipts(place: &Place, session: &str) -> Vec<Receipt> {
    let output = place.bare(&["export", session]).output().unwrap();
    let log = String::from_utf8(output.stdout).unwrap();
    let records = log.lines().map(|line| serde_json::from_str::<Record>(line).unwrap());
    let receipt = |record: Record| match record.body {
        RecordBody::Receipt(receipt) => Some(*receipt),
        _ => None,
    };
    records.filter_map(receipt).collect()
}

/// The descriptions that tests of the client read; `UPDATE_EXPECT=1` writes them again.
#[test]
fn the_server_describes_its_model_by_the_recorded_fields() {
    let (llama, place) = (Llama::with_slots(8_192, 2), Place::new());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../providers/src/served_window/tests");
    for (path, name) in [("/v1/models", "llama_cpp_models.json"), ("/props", "llama_cpp_props.json")] {
        let (described, file) = (llama.described(path), folder.join(name));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, format!("{described:#}\n")).unwrap();
        }
        let recorded: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        assert_eq!(described, recorded, "{path}");
    }
    // Each slot has a half of the context, and that is the window of a request.
    let output = llama.asked(&place, "models", &["--json"]).output().unwrap();
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listed["used"]["window"], 4_096, "{listed}");
}

#[test]
fn a_session_over_compactions_reads_the_cache_of_the_server_by_prediction() {
    let (llama, place) = (Llama::start(4_096), Place::new());
    let first = llama.turn(&place, &["--tools", "none"], &words(0, 20));
    let session = first["session"].as_str().unwrap().to_owned();
    let compactions = |all: &[Receipt]| all.iter().filter(|receipt| receipt.compaction.is_some()).count();
    let mut all = Vec::new();
    // Each turn is a process of its own.
    for turn in 1..=MOST_TURNS {
        llama.turn(&place, &["--tools", "none", "--resume", &session], &words(turn, 20));
        all = receipts(&place, &session);
        if compactions(&all) >= 2 && all.last().is_some_and(|receipt| receipt.compaction.is_none()) {
            break;
        }
    }
    assert!(compactions(&all) >= 2, "{} requests, {} compactions", all.len(), compactions(&all));
    assert_eq!(all[0].window.total, 4_096, "the server was asked");
    // The second report shows that the server reads every prefix, to the token.
    for receipt in all.iter().skip(2).filter(|receipt| receipt.compaction.is_none()) {
        let reported = receipt.reported.unwrap();
        assert!(reported.cache_read > 900, "the server has its cache: {reported:?}");
        assert_eq!(receipt.predicted_cache_read(), Some(true), "{:?} {reported:?}", receipt.predicted);
    }
}

#[test]
fn a_window_that_the_server_names_in_its_refusal_is_learned() {
    let (llama, place) = (Llama::start(4_096), Place::new());
    let wrong = ["--tools", "none", "--window", "32768"];
    let done = llama.turn(&place, &wrong, &words(0, 300));
    assert!(["done", "cut_off"].contains(&done["outcome"].as_str().unwrap()), "{done}");
    // The next session has it from the start, and the session itself, too.
    let output = llama.asked(&place, "models", &["--json"]).output().unwrap();
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listed["limits"][0]["window"]["tokens"], 4_096, "{listed}");
    let session = done["session"].as_str().unwrap();
    let again = llama.turn(&place, &["--tools", "none", "--resume", session], "Say bye.");
    assert!(["done", "cut_off"].contains(&again["outcome"].as_str().unwrap()), "{again}");
    assert_eq!(receipts(&place, session).last().unwrap().window.total, 4_096);
}
