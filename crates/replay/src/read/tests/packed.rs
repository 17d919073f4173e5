//! Recordings packed by zstd, as Codex packs them, and sessions with files of their own.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};

use super::CODEX;
use crate::read::{open_recording, read_session, recording_start};
use crate::session::RecordedSession;

/// A frame of zstd with these bytes, not made smaller: one raw block (RFC 8878, 3.1.1.2).
fn frame(bytes: &[u8]) -> Vec<u8> {
    let size = u32::try_from(bytes.len()).unwrap();
    // A single segment, with its size in four bytes.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    frame.extend(size.to_le_bytes());
    frame.extend_from_slice(&(1 | size << 3).to_le_bytes()[..3]);
    frame.extend(bytes);
    frame
}

fn written(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn asked(session: &RecordedSession) -> Vec<String> {
    session.turns.iter().map(|turn| turn.user.text()).collect()
}

#[test]
fn a_file_of_zstd_is_read_like_the_file_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rollout.jsonl.zst");
    let (first, second) = CODEX.split_at(CODEX.len() / 2);
    // Several frames are one file.
    fs::write(&file, [frame(first), frame(second)].concat()).unwrap();
    let session = read_session(&file).unwrap();
    assert_eq!((session.id.as_str(), session.steps().count()), ("s-codex", 3));
    let mut all = Vec::new();
    open_recording(&file).unwrap().read_to_end(&mut all).unwrap();
    assert_eq!(all, CODEX);
    assert_eq!(recording_start(&file, 100).unwrap(), &CODEX[..100]);
    fs::write(&file, &frame(CODEX)[..CODEX.len() / 2]).unwrap();
    let error = read_session(&file).unwrap_err().to_string();
    assert!(
        error.contains("its zstd stream is damaged") && error.contains("copy or export it again"),
        "{error}"
    );
}

#[test]
fn a_fork_of_codex_finds_its_parent_when_it_is_packed() {
    let folder = tempfile::tempdir().unwrap();
    let line = |kind: &str, payload: Value| json!({"timestamp": "2026-09-01T10:00:00.000Z", "type": kind, "payload": payload});
    let says = |role: &str, text: &str| {
        let kind = if role == "user" { "input_text" } else { "output_text" };
        line(
            "response_item",
            json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]}),
        )
    };
    let parent =
        [line("session_meta", json!({"id": "p-1"})), says("user", "first"), says("assistant", "yes")];
    fs::write(folder.path().join("rollout-p-1.jsonl.zst"), frame(written(&parent).as_bytes())).unwrap();
    let head = json!({"id": "f-1", "forked_from_id": "p-1", "forked_from_ordinal_exclusive": 3});
    let fork = [line("session_meta", head), says("user", "second"), says("assistant", "done")];
    let file = folder.path().join("rollout-f-1.jsonl");
    fs::write(&file, written(&fork)).unwrap();
    let session = read_session(&file).unwrap();
    assert_eq!(asked(&session), ["first", "second"]);
    assert!(session.warnings.is_empty(), "{:?}", session.warnings);
}

const OLD: &str = "f0000002-2222-4333-8444-555555555555";
const NEW: &str = "f0000003-2222-4333-8444-555555555555";

fn claude(session: &str, uuid: &str, before: Option<&str>, role: &str, text: &str) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    json!({"type": role, "uuid": uuid, "parentUuid": before, "sessionId": session, "message":
        {"id": uuid, "role": role, "model": "m", "content": content, "usage": {"input_tokens": 3, "output_tokens": 1}}})
}

#[test]
fn a_session_of_claude_code_that_begins_with_lines_of_another_has_the_name_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        claude(OLD, "1", None, "user", "old"),
        claude(OLD, "2", Some("1"), "assistant", "yes"),
        claude(NEW, "3", Some("2"), "user", "new"),
        claude(NEW, "4", Some("3"), "assistant", "yes"),
    ];
    let id = |name: &str| {
        let file = folder.path().join(name);
        fs::write(&file, written(&lines)).unwrap();
        read_session(&file).unwrap().id
    };
    assert_eq!(id(&format!("{NEW}.jsonl")), NEW);
    // The name of a copy says nothing.
    assert_eq!(id("copy.jsonl"), OLD);
}

#[test]
fn a_fork_of_claude_code_finds_its_parent_in_another_project() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("-work-a"), folder.path().join("-work-b"));
    fs::create_dir(&here).unwrap();
    fs::create_dir(&there).unwrap();
    let boundary = |session: &str| json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "sessionId": session, "forkedFrom": {"sessionId": OLD}});
    let parent = [
        claude(OLD, "1", None, "user", "old"),
        claude(OLD, "2", Some("1"), "assistant", "yes"),
        boundary(OLD),
    ];
    fs::write(there.join(format!("{OLD}.jsonl")), written(&parent)).unwrap();
    let read = |first: &Value| {
        let fork = [
            first.clone(),
            claude(NEW, "3", Some("b"), "user", "new"),
            claude(NEW, "4", Some("3"), "assistant", "yes"),
        ];
        let file = here.join(format!("{NEW}.jsonl"));
        fs::write(&file, written(&fork)).unwrap();
        read_session(Path::new(&file)).unwrap()
    };
    // Whether its own head names the fork or still the parent.
    for first in [boundary(NEW), boundary(OLD)] {
        let session = read(&first);
        assert_eq!(asked(&session), ["old", "new"]);
        assert_eq!((session.id.as_str(), session.parent.as_deref()), (NEW, Some(OLD)));
    }
}
