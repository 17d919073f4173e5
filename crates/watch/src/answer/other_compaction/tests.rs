//! Whose compaction it is.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use throughline_replay::read_transcript;

use super::is_of_subagent;

const ASKS: &str =
    r#"{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"Fix it"}}"#;
const CALLS: &str = r#"{"type":"assistant","uuid":"2","parentUuid":"1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Task","input":{}}]}}"#;
const RESULT: &str = r#"{"type":"user","uuid":"3","parentUuid":"2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]}}"#;
const ANSWERS: &str = r#"{"type":"assistant","uuid":"4","parentUuid":"3","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Done."}]}}"#;
const AGAIN: &str =
    r#"{"type":"user","uuid":"5","parentUuid":"4","message":{"role":"user","content":"Again"}}"#;

fn check(lines: &[&str], subagent_after: Option<i64>, expected: bool) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.jsonl");
    fs::write(&file, lines.join("\n")).unwrap();
    let at = SystemTime::now() - Duration::from_secs(1_000);
    File::options().write(true).open(&file).unwrap().set_modified(at).unwrap();
    if let Some(seconds) = subagent_after {
        let subagents = folder.path().join("s/subagents");
        fs::create_dir_all(&subagents).unwrap();
        let subagent = File::create(subagents.join("agent-1.jsonl")).unwrap();
        let shift = Duration::from_secs(seconds.unsigned_abs());
        subagent.set_modified(if seconds < 0 { at - shift } else { at + shift }).unwrap();
    }
    let recorded = read_transcript(&file).unwrap();
    assert_eq!(is_of_subagent(&recorded, &file), expected, "{lines:?} {subagent_after:?}");
}

#[test]
fn a_compaction_while_the_session_waits_or_rests_is_that_of_a_subagent_that_works() {
    let done = [ASKS, CALLS, RESULT, ANSWERS];
    check(&[ASKS, CALLS], Some(5), true);
    check(&done, Some(5), true);
    // The session itself is about to ask its model.
    check(&[ASKS, CALLS, RESULT], Some(5), false);
    check(&[ASKS, CALLS, RESULT, ANSWERS, AGAIN], Some(5), false);
    // No subagent works.
    check(&done, Some(-5), false);
    check(&done, None, false);
}
