//! Recordings that are broken, cut, or none at all.

use std::io::Write;
use std::path::Path;

use expect_test::expect;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::{any, prop, proptest};

use super::{ALL, CLAUDE_CODE, CODEX, parsed};
use crate::read::read_session;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The error of a file with these bytes, in one line, with the folder left out.
fn error_of(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.bin");
    std::fs::write(&file, bytes).unwrap();
    let error = read_session(&file).unwrap_err().to_string();
    assert!(!error.contains('\n'), "{error}");
    error.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn a_compressed_file_is_detected_from_its_content() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("plain.gz", CODEX.to_vec()), ("packed.jsonl", packed(CODEX))] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let session = read_session(&file).unwrap();
        assert_eq!((session.id.as_str(), session.steps().count()), ("s-codex", 3));
    }
}

#[test]
fn every_error_names_the_file_and_a_way_out() {
    let gz = packed(CODEX);
    let mut damaged = gz.clone();
    damaged[30] ^= 0xff;
    let cut_document = &super::OPENCODE[..super::OPENCODE.len() / 2];
    let mut all = String::new();
    let cases: [&[u8]; 14] = [
        b"",
        b" \n\n",
        &gz[..gz.len() / 2],
        b"{\"type\":\"x\"}\n\0\0",
        b"hello\nworld\n",
        b"{\"a\":1,\"b\":2}\n{\"c\":3}\n",
        cut_document,
        b"[1, 2]",
        b"{\"type\":\"session_meta\",\"payload\":{\"id\":\"x\"}}\n",
        b"{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
        b"{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"085a21de\"}\n",
        b"{\n  \"schema_version\": \"ATIF-v1.7\",\n  \"steps\": [,]\n}\n",
        b"{\"schema_version\": \"ATIF-v2.0\", \"steps\": []}",
        b"{\"schema_version\": \"ATIF-v1.7\", \"steps\": {}}",
    ];
    for bytes in cases {
        all.push_str(&error_of(bytes));
        all.push('\n');
    }
    expect![[r#"
        session.bin is empty
        session.bin is empty
        session.bin ends in the middle (its gzip stream breaks off): copy or export it again
        session.bin, line 2: not text; a recording is JSON or JSON lines, plain, .gz or .zst
        session.bin is not in a known format (line 1 begins with "hello"); supported are claude-code, codex, opencode, pi, mini-swe-agent, swe-agent, copilot-cli, gemini-cli, atif 1 and pydantic-ai
        session.bin is not in a known format (line 1 is a JSON object with the keys a, b); supported are claude-code, codex, opencode, pi, mini-swe-agent, swe-agent, copilot-cli, gemini-cli, atif 1 and pydantic-ai
        session.bin ends in the middle (the JSON ends at line 13): copy or export it again
        session.bin is not in a known format (line 1 begins with "[1, 2]"); supported are claude-code, codex, opencode, pi, mini-swe-agent, swe-agent, copilot-cli, gemini-cli, atif 1 and pydantic-ai
        session.bin (codex) has no model answers; choose another session
        session.bin (mini-swe-agent) has no model answers; choose another session
        session.bin (claude-code) has no model answers; choose another session
        session.bin, line 3: not JSON (expected value, column 13); export the recording again
        session.bin is not in a known format (its schema_version is "ATIF-v2.0"); supported are claude-code, codex, opencode, pi, mini-swe-agent, swe-agent, copilot-cli, gemini-cli, atif 1 and pydantic-ai
        session.bin (atif) has no model answers; choose another session
    "#]].assert_eq(&all);
    assert!(error_of(&damaged).contains("gzip stream"), "{}", error_of(&damaged));
    let missing = read_session(Path::new("/nowhere/session.jsonl")).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "cannot read /nowhere/session.jsonl: check that it is there and may be read"
    );
    assert!(std::error::Error::source(&missing).is_some());
}

#[test]
fn one_bad_line_costs_no_other() {
    let lines: Vec<&[u8]> = CODEX.split(|byte| *byte == b'\n').collect();
    let whole = parsed(CODEX).unwrap();
    for bad in ["{\"type\":", "\u{1}", "[]", "\"text\"", "nonsense"] {
        for place in 0..lines.len() - 1 {
            let mut broken = lines.clone();
            broken.insert(place, bad.as_bytes());
            let session = parsed(&broken.join(&b'\n')).unwrap();
            assert_eq!(session.turns, whole.turns);
            assert!(session.repairs[0].starts_with(&format!("line {}: left out", place + 1)));
        }
    }
}

#[test]
fn half_a_character_costs_no_line() {
    for bytes in ALL {
        let whole = parsed(bytes).unwrap();
        let text = std::str::from_utf8(bytes).unwrap();
        for half in ["\\ud83d", "\\ude00"] {
            // In front of every third text after a colon: results, requests, answers, and fields that no reader uses.
            let places: Vec<usize> =
                text.match_indices(": \"").map(|(place, found)| place + found.len()).collect();
            for place in places.into_iter().skip(1).step_by(3) {
                let (before, rest) = text.split_at(place);
                let Ok(session) = parsed(format!("{before}{half}{rest}").as_bytes()) else { continue };
                assert_eq!(session.warnings, whole.warnings, "{before}");
            }
        }
    }
    let said = |half: &[u8]| {
        let lines = [
            &br#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"keep "#[..],
            half,
            br#"this"}}
{"type":"assistant","uuid":"a","parentUuid":"u","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"yes"}]}}
"#,
        ];
        let session = parsed(&lines.concat()).unwrap();
        assert_eq!(session.warnings, Vec::<String>::new());
        session.turns[0].user.text()
    };
    assert_eq!(said(br"\ud83d "), "keep \u{fffd} this");
    assert_eq!(said(br"\udead "), "keep \u{fffd} this");
    assert_eq!(said(b"\xf0\x9f "), "keep \u{fffd} this");
}

#[test]
fn lines_that_cannot_be_read_are_counted_with_the_first() {
    let lines: Vec<&[u8]> = CODEX.split(|byte| *byte == b'\n').collect();
    let broken = |count: usize| {
        let mut broken = lines.clone();
        (0..count).for_each(|_| broken.insert(2, b"{\"type\":"));
        parsed(&broken.join(&b'\n')).unwrap().warnings
    };
    assert_eq!(broken(0), Vec::<String>::new());
    let begun = [CODEX, b"{\"type\":\"resp"].concat();
    assert_eq!(parsed(&begun).unwrap().warnings, Vec::<String>::new(), "the agent is writing it");
    assert_eq!(broken(1), ["some/recording.v1.jsonl, line 3: left out, it cannot be read"]);
    assert_eq!(
        broken(3),
        ["some/recording.v1.jsonl, line 3: left out, it cannot be read; 3 lines of the file cannot"]
    );
}

#[test]
fn a_recording_cut_at_any_byte_is_read_or_refused() {
    for bytes in ALL {
        let packed = packed(bytes);
        for end in 0..bytes.len() {
            let _ = parsed(&bytes[..end]);
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cut.gz");
        for end in (0..packed.len()).step_by(7) {
            std::fs::write(&file, &packed[..end]).unwrap();
            assert!(read_session(&file).is_err(), "half a gzip stream is never taken for a whole one");
        }
    }
}

#[test]
fn lines_in_any_order_and_number_are_read_or_refused() {
    let lines: Vec<&[u8]> = CLAUDE_CODE.split(|byte| *byte == b'\n').collect();
    for turn in 0..lines.len() {
        let mut turned = lines.clone();
        turned.rotate_left(turn);
        let _ = parsed(&turned.join(&b'\n'));
        let twice: Vec<&[u8]> = turned.iter().chain(&lines).copied().collect();
        let _ = parsed(&twice.join(&b'\n'));
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parsed(&bytes);
    }

    #[test]
    fn a_changed_byte_never_panics(which in 0..ALL.len(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = ALL[which].to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = parsed(&bytes);
    }

    #[test]
    fn values_of_a_wrong_kind_never_panic(which in 0..ALL.len(), at in any::<prop::sample::Index>(), with in 0..6usize) {
        // A list, an object or another value instead of any value after a colon.
        let text = std::str::from_utf8(ALL[which]).unwrap();
        let colons: Vec<usize> = text.match_indices("\":").map(|(place, _)| place + 2).collect();
        let place = colons[at.index(colons.len())];
        let (before, rest) = text.split_at(place);
        let value = ["null", "7", "[]", "{}", "\"\"", "[{\"type\":\"text\"}]"][with];
        let (_, behind) = rest.split_at(rest.find([',', '}', '\n']).unwrap_or(rest.len()));
        let _ = parsed(format!("{before}{value}{behind}").as_bytes());
    }
}
