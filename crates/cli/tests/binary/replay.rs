//! Recordings: good ones of every format, and files that are none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::ran::{Ran, assert_says, run};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../replay/tests/fixtures");

const FORMATS: [(&str, &str); 9] = [
    ("claude-code.jsonl", "claude-code"),
    ("codex.jsonl", "codex"),
    ("opencode.json", "opencode"),
    ("pi.jsonl", "pi"),
    ("mini-swe-agent.traj.json", "mini-swe-agent"),
    ("swe-agent.traj", "swe-agent"),
    ("copilot-cli.jsonl", "copilot-cli"),
    ("atif.json", "atif"),
    ("pydantic-ai.json", "pydantic-ai"),
];

fn fixture(name: &str) -> PathBuf {
    Path::new(FIXTURES).join(name)
}

/// Replays with a home of its own, where nothing may be left.
#[track_caller]
fn replay(files: &[&Path], options: &[&str]) -> Ran {
    let home = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
    command.arg("replay").args(options).args(files);
    command.env("HOME", home.path()).env("XDG_DATA_HOME", home.path()).env("TMPDIR", home.path());
    let ran = run(&mut command);
    let left: Vec<_> = fs::read_dir(home.path()).unwrap().flatten().map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "a replay leaves {left:?}");
    ran
}

/// A file with this content.
fn written(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path)
}

/// It is refused in one line that names the file and says what helps.
#[track_caller]
fn check_refused(path: &Path, says: &str) {
    for options in [&[][..], &["--json"], &["--peers"]] {
        let line = replay(&[path], options).failed();
        assert_says(&line, &[&path.display().to_string(), says]);
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let (_folder, path) = written("content", content);
    let output = Command::new("gzip").arg("--stdout").arg(&path).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success());
    output.stdout
}

#[test]
fn every_format_is_replayed() {
    for (name, format) in FORMATS {
        let ran = replay(&[&fixture(name)], &["--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        // One of them has a line that is no JSON.
        assert!(
            ran.err.is_empty()
                || ran.err.ends_with("claude-code.jsonl, line 10: left out, it cannot be read\n")
        );
        let out: Value = serde_json::from_str(&ran.out).unwrap();
        let sessions = out.as_array().unwrap();
        assert_eq!(sessions.len(), 1, "{name}");
        assert_eq!(sessions[0]["format"], format);
        assert!(sessions[0]["requests"].as_u64() > Some(0), "{name}");
        assert_eq!(sessions[0]["invalid_requests"], 0, "{name}");
        assert_eq!(sessions[0]["over_window"], 0, "{name}");
    }
    let files: Vec<PathBuf> = FORMATS.iter().map(|(name, _)| fixture(name)).collect();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let table = replay(&files, &[]).out;
    assert!(!table.contains('\u{1b}'));
    assert!(table.lines().count() > files.len(), "{table}");
}

#[test]
fn a_compressed_recording_is_the_same() {
    let plain = fs::read(fixture("codex.jsonl")).unwrap();
    let (_folder, path) = written("codex.jsonl.gz", gzip(&plain));
    let of = |ran: Ran| -> Value { ran.json()[0]["tokens_written"].clone() };
    assert_eq!(of(replay(&[&path], &["--json"])), of(replay(&[&fixture("codex.jsonl")], &["--json"])));
}

#[test]
fn empty_files() {
    for content in ["", "\n\n  \n"] {
        let (_folder, path) = written("empty.jsonl", content);
        check_refused(&path, "is empty");
    }
    let (_folder, path) = written("empty.jsonl.gz", gzip(b""));
    check_refused(&path, "is empty");
}

#[test]
fn files_that_were_cut_off() {
    let whole = gzip(&fs::read(fixture("claude-code.jsonl")).unwrap());
    for left in [whole.len() - 1, whole.len() / 2, 12, 4] {
        let (_folder, path) = written("cut.jsonl.gz", &whole[..left]);
        check_refused(&path, "copy or export it again");
    }
    let plain = fs::read(fixture("opencode.json")).unwrap();
    let (_folder, path) = written("cut.json", &plain[..plain.len() / 2]);
    check_refused(&path, "copy or export it again");
}

#[test]
fn a_document_with_a_fault_names_its_line() {
    let whole = fs::read_to_string(fixture("atif.json")).unwrap();
    let broken = whole.replace(r#""message": "I look","#, r#""message": I look,"#);
    let line = 1 + whole.lines().position(|line| line.contains("I look")).unwrap();
    let (_folder, path) = written("atif.json", broken);
    check_refused(&path, &format!("line {line}: not JSON"));
    let (_folder, path) = written("atif.json", whole.replacen("ATIF-v1.7", "ATIF-v2.0", 1));
    check_refused(&path, "its schema_version is \"ATIF-v2.0\"");
}

#[test]
fn binary_files() {
    let noise: Vec<u8> =
        (0..9_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
    let (_folder, path) = written("noise.jsonl", &noise);
    check_refused(&path, "not text");
    let (_folder, path) = written("noise.jsonl.gz", gzip(&noise));
    check_refused(&path, "not text");
    let program = PathBuf::from(env!("CARGO_BIN_EXE_throughline"));
    check_refused(&program, "not text");
}

#[test]
fn files_of_other_programs() {
    for content in [
        "{}",
        "[]",
        "null",
        "[1,2,3]",
        "\"text\"",
        r#"{"name":"package","version":"1.0.0"}"#,
        "{\"a\":1}\n{\"a\":2}\n",
        "plain text\nin two lines\n",
        "<html></html>",
    ] {
        let (_folder, path) = written("foreign.json", content);
        let line = replay(&[&path], &[]).failed();
        assert_says(
            &line,
            &[&path.display().to_string(), "is not in a known format", "claude-code, codex, opencode"],
        );
    }
    // Brackets without an end are no reason to run out of stack.
    let (_folder, path) = written("deep.json", "[".repeat(200_000));
    assert_says(&replay(&[&path], &[]).failed(), &[&path.display().to_string()]);
}

#[test]
fn missing_files_and_folders() {
    let folder = TempDir::new().unwrap();
    check_refused(&folder.path().join("none.jsonl"), "check that it is there and may be read");
    check_refused(folder.path(), "check that it is there and may be read");
}

#[test]
fn hostile_names_are_shown_harmless() {
    let (_folder, path) = written("a\u{1b}[2Jb\n.jsonl", "");
    let line = replay(&[&path], &[]).failed();
    assert!(!line.chars().any(char::is_control), "{line:?}");
}

#[test]
fn a_bad_file_does_not_stop_the_others() {
    let folder = TempDir::new().unwrap();
    let (good, bad) = (fixture("codex.jsonl"), folder.path().join("none.jsonl"));
    for files in [[good.as_path(), &bad], [&bad, &good]] {
        let ran = replay(&files, &["--json"]);
        let list: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(list.as_array().unwrap().len(), 1);
        assert_says(&ran.failed(), &["none.jsonl"]);
    }
}

#[test]
fn a_window_that_holds_nothing_is_an_error() {
    let file = fixture("codex.jsonl");
    for options in [
        &["--window", "2k"][..],
        &["--window", "1"],
        &["--window", "6k"],
        &["--window", "10k", "--max-output", "10k"],
        &["--window", "10k", "--max-output", "1m"],
        &["--overhead", "100k"],
    ] {
        let line = replay(&[&file], options).failed();
        assert_says(&line, &["could not replay", &file.display().to_string()]);
    }
}

/// A gzip file of this many mebibytes of zeros.
fn bomb(folder: &Path, mebibytes: usize) -> PathBuf {
    let (zeros, file) = (folder.join("zeros"), folder.join("bomb.gz"));
    fs::write(&zeros, vec![0; 16 << 20]).unwrap();
    let packed = Command::new("gzip").arg("-c").arg(&zeros).output().unwrap();
    // A gzip file may have several members, which are unpacked one after the other.
    fs::write(&file, packed.stdout.repeat(mebibytes / 16)).unwrap();
    file
}

#[test]
fn a_gzip_bomb_is_refused_before_it_is_in_memory() {
    let folder = TempDir::new().unwrap();
    let file = bomb(folder.path(), 528);
    assert!(file.metadata().unwrap().len() < 1 << 20);
    // Half of the unpacked size would be too much for the process.
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"ulimit -v 500000; exec "$0" "$@""#, env!("CARGO_BIN_EXE_throughline"), "replay"]);
    let refused = run(shell.arg(&file).env("HOME", folder.path())).failed();
    assert_says(&refused, &["bomb.gz", "holds more than 512 MiB"]);

    let large = folder.path().join("large.jsonl");
    fs::File::create(&large).unwrap().set_len(600 << 20).unwrap();
    assert_says(&replay(&[&large], &[]).failed(), &["large.jsonl", "holds more than 512 MiB"]);
}

/// A Claude Code session whose provider counts twice as many tokens as there are words.
fn reported_twice(folder: &Path) -> PathBuf {
    let result = "word ".repeat(600);
    let record = |uuid: String, parent: Option<String>, kind: &str, message: Value| {
        json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": "/w", "version": "2.1.0",
               "timestamp": "2026-01-01T00:00:00.000Z", "message": message})
    };
    let mut lines =
        vec![record("u0".into(), None, "user", json!({"role": "user", "content": "Count the words."}))];
    for step in 0..6_u64 {
        let call = json!([{"type": "tool_use", "id": format!("c{step}"), "name": "Read", "input": {"file_path": "f"}}]);
        let usage = json!({"input_tokens": 2_000 + 1_600 * step, "output_tokens": 20});
        let answer = json!({"id": format!("m{step}"), "role": "assistant", "model": "claude-sonnet-4-5", "content": call,
                            "usage": usage});
        let back = json!([{"type": "tool_result", "tool_use_id": format!("c{step}"), "content": result}]);
        lines.push(record(format!("a{step}"), Some(format!("u{step}")), "assistant", answer));
        lines.push(record(
            format!("u{}", step + 1),
            Some(format!("a{step}")),
            "user",
            json!({"role": "user", "content": back}),
        ));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let path = folder.join("twice.jsonl");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn tokens_are_the_providers_or_as_estimated() {
    let folder = TempDir::new().unwrap();
    let file = reported_twice(folder.path());
    let (corrected, estimated) =
        (replay(&[&file], &["--json"]).json(), replay(&[&file], &["--json", "--as-estimated"]).json());
    let (corrected, estimated) = (&corrected[0], &estimated[0]);
    assert_eq!(estimated["factor"], 1.0);
    let factor = corrected["factor"].as_f64().unwrap();
    assert!(factor > 1.5, "{factor}");
    let size = |report: &Value| report["peak_request_tokens"].as_f64().unwrap();
    let ratio = size(corrected) / size(estimated);
    assert!((ratio - factor).abs() < 0.05, "{ratio} {factor}");
}
