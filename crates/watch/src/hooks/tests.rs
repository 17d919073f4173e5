//! Payloads of hooks.

use super::HookPayload;

fn asks(text: &str) -> bool {
    HookPayload::parse(text.as_bytes()).unwrap().asks_for_context()
}

// S1-12
#[test]
fn a_context_is_restored_after_a_compaction_and_on_resume_only() {
    let start = |source: &str| {
        format!(
            r#"{{"transcript_path":"/t.jsonl","hook_event_name":"SessionStart","source":"{source}","more":1}}"#
        )
    };
    assert!(asks(&start("compact")) && asks(&start("resume")));
    assert!(!asks(&start("startup")) && !asks(&start("clear")));
    assert!(!asks(r#"{"transcript_path":"/t.jsonl","hook_event_name":"PreCompact","trigger":"auto"}"#));
}

#[test]
fn a_payload_without_an_event_is_refused() {
    assert!(HookPayload::parse(br#"{"hook_event_name":"Stop","transcript_path":null}"#).is_ok());
    assert!(HookPayload::parse(b"{}").is_err());
    assert!(HookPayload::parse(b"\0").is_err());
}
