//! What became of replaced results, by sessions as agents write them.

use std::fs;
use std::path::Path;

use throughline_replay::parse_session;

use super::Replacement::{NotTaken, Taken, Unseen};
use super::{agent_notes, replacements};

/// A session of Claude Code with two results.
fn transcript(bash: &str, grep: &str) -> String {
    let user = r#"{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Look."}}"#;
    let calls = r#"{"type":"assistant","uuid":"u1","parentUuid":"u0","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"seq 1 4000"}},{"type":"tool_use","id":"c2","name":"Grep","input":{"pattern":"x"}}]}}"#;
    let results = format!(
        r#"{{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":"{bash}"}},{{"type":"tool_result","tool_use_id":"c2","content":[{{"type":"text","text":"{grep}"}}]}}]}}}}"#
    );
    let answer = r#"{"type":"assistant","uuid":"u3","parentUuid":"u2","sessionId":"s","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Done."}]}}"#;
    [user, calls, &results, answer].join("\n")
}

#[test]
fn a_result_with_its_reference_is_taken_and_one_with_the_original_is_not() {
    let taken = r#"[Tool result stored]\nref_id=\"r-0123456789abcdef\""#;
    let text = transcript(taken, "No files found");
    let session = parse_session(Path::new("s.jsonl"), text.as_bytes()).unwrap();
    let asked = [
        ("c1", "r-0123456789abcdef"),
        ("c2", "r-aaaaaaaaaaaaaaaa"),
        ("c3", "r-bbbbbbbbbbbbbbbb"),
        ("", "r-0123456789abcdef"),
    ];
    assert_eq!(replacements(&session, asked), [Taken, NotTaken, Unseen, Taken]);
}

#[test]
fn refusals_and_files_that_were_read_again_are_in_the_notes_of_the_transcript() {
    let refusal = r#"{"type":"attachment","attachment":{"type":"hook_error_during_execution","content":"PostToolUse hook returned updatedToolOutput that does not match Bash's output shape; using original output. [\n  {\n","hookName":"PostToolUse:Bash","toolUseID":"toolu_0","hookEvent":"PostToolUse"}}"#;
    let other = r#"{"type":"attachment","attachment":{"type":"hook_error_during_execution","content":"it failed","toolUseID":"toolu_1"}}"#;
    let file =
        r#"{"type":"attachment","attachment":{"type":"file","filename":"/a","content":{"type":"text"}}}"#;
    let boundary = r#"{"type":"system","subtype":"compact_boundary"}"#;
    let summary = r#"{"type":"user","isCompactSummary":true,"message":{"content":"They looked."}}"#;
    let note = r#"{"type":"user","message":{"content":"<command-name>/compact</command-name>"}}"#;
    let asks = r#"{"type":"user","message":{"content":"Now see @/a"}}"#;
    let answer = r#"{"type":"assistant","message":{}}"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let lines = [
        file, refusal, other, boundary, summary, note, file, file, asks, file, answer, boundary, answer, file,
    ];
    fs::write(&path, lines.join("\n")).unwrap();
    let notes = agent_notes(&path).unwrap();
    assert_eq!(notes.read_again, 2);
    assert_eq!(notes.refused.len(), 1);
    let reason = &notes.refused["toolu_0"];
    assert!(reason.starts_with("PostToolUse hook returned") && reason.ends_with('['), "{reason}");
}
