//! Recorded sessions of real agents through the binary, at four windows and under every policy.
//!
//! A debug build replays every sixth session; the suite `replay-all` builds in release and replays all of them.
//!
//! Needs the folder that `THROUGHLINE_TRACES` names; without it the suite says so and is skipped.

#![expect(clippy::panic, reason = "helpers of tests may fail the test")]

#[path = "replay/compactions.rs"]
mod compactions;
#[path = "replay/facts.rs"]
mod facts;
#[path = "replay/switches.rs"]
mod switches;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Fields that every object of `--json` has.
const FIELDS: [&str; 18] = [
    "session",
    "format",
    "turns",
    "requests",
    "invalid_requests",
    "over_window",
    "repaired",
    "compactions",
    "epochs",
    "offloads",
    "tokens_cached",
    "tokens_written",
    "tokens_uncached",
    "cost_anthropic",
    "cost_openai",
    "ratio_anthropic",
    "ratio_openai",
    "mean_request_tokens",
];

fn traces() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("THROUGHLINE_TRACES").map(PathBuf::from).filter(|path| path.is_dir())
    else {
        println!("skipped: replay: THROUGHLINE_TRACES names no folder of recorded sessions");
        return None;
    };
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    assert!(!files.is_empty(), "{} holds no recording", folder.display());
    Some(files)
}

/// The recordings that are replayed under every option.
fn replayed() -> Option<Vec<PathBuf>> {
    let step = if cfg!(debug_assertions) { 6 } else { 1 };
    traces().map(|files| files.into_iter().step_by(step).collect())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "gz") {
            files.push(path);
        }
    }
}

fn replay(files: &[PathBuf], options: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_throughline"))
        .args(["replay", "--json"])
        .args(options)
        .args(files)
        .output()
        .unwrap_or_else(|error| panic!("the binary does not run: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{options:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("no JSON array: {error}"))
}

fn number(report: &Value, field: &str) -> u64 {
    let value = report.get(field).and_then(Value::as_u64);
    value.unwrap_or_else(|| panic!("{field} is no number in {report}"))
}

/// What holds for every replayed session, whatever the window and the policy.
fn check(reports: &[Value], files: &[PathBuf], options: &[&str]) {
    assert_eq!(reports.len(), files.len(), "a session for every file");
    let (mut requests, mut read_back) = (0, 0);
    for report in reports {
        for field in FIELDS.iter().chain(&["peak_request_tokens", "read_back_failed"]) {
            assert!(report.get(*field).is_some(), "{field} is missing");
        }
        let name = report.get("session").and_then(Value::as_str).unwrap_or_default();
        assert_eq!(number(report, "invalid_requests"), 0, "{options:?} {name}: {:?}", report.get("faults"));
        assert_eq!(number(report, "over_window"), 0, "{options:?} {name}");
        assert_eq!(number(report, "read_back_failed"), 0, "{options:?} {name}");
        assert_eq!(number(report, "unrecorded_requests"), 0, "{options:?} {name}");
        assert_eq!(number(report, "degradations"), 0, "{options:?} {name}");
        if number(report, "failed_turns") > 0 {
            let why = report.get("first_failure").and_then(Value::as_str).unwrap_or_default();
            assert!(why.contains("the message of the user alone"), "{options:?} {name}: {why}");
        }
        requests += number(report, "requests");
        read_back += number(report, "read_back_ok");
    }
    println!(
        "{options:?}: {} sessions, {requests} requests, {read_back} references read back",
        reports.len()
    );
}

#[test]
fn every_session_replays_at_every_window() {
    let Some(files) = replayed() else { return };
    for window in ["32k", "64k", "100k", "200k"] {
        let options = ["--window", window];
        check(&replay(&files, &options), &files, &options);
    }
}

#[test]
fn every_session_replays_under_the_policies_of_others_at_small_windows() {
    let Some(files) = replayed() else { return };
    for policy in ["dex", "vibe", "rubichan", "slop"] {
        for window in ["64k", "100k"] {
            let options = ["--policy", policy, "--window", window];
            check(&replay(&files, &options), &files, &options);
        }
    }
}

#[test]
fn every_session_replays_under_every_policy() {
    let Some(files) = replayed() else { return };
    for policy in ["throughline", "dex", "vibe", "rubichan", "slop", "off"] {
        let options = ["--policy", policy];
        check(&replay(&files, &options), &files, &options);
    }
}

// S0-19
#[test]
fn every_session_replays_with_the_plain_estimate() {
    let Some(files) = replayed() else { return };
    let options = ["--estimator", "chars4"];
    check(&replay(&files, &options), &files, &options);
}

#[test]
fn the_same_replay_gives_the_same_figures() {
    let Some(files) = replayed() else { return };
    let few: Vec<PathBuf> =
        files.iter().step_by(if cfg!(debug_assertions) { 4 } else { 7 }).cloned().collect();
    assert_eq!(replay(&few, &[]), replay(&few, &[]));
}
