//! What the beginning of a transcript says.

use super::head;

#[test]
fn a_list_names_a_session_as_its_own_page_does() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("s.jsonl");
    let typed = r"<command-message>plan</command-message>\n<command-name>/plan</command-name>\n<command-args>14</command-args>";
    for (said, title) in [
        (
            r"Implement the following plan:\n\n# Move the parser",
            "Implement the following plan: Move the parser",
        ),
        (typed, "/plan 14"),
    ] {
        let user = format!(
            r#"{{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00.000Z","message":{{"role":"user","content":"{said}"}}}}"#
        );
        let answer = r#"{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:01.000Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":1,"output_tokens":1}}}"#;
        std::fs::write(&path, format!("{user}\n{answer}\n")).unwrap();
        assert_eq!(head(&path).unwrap().title, title);
    }
}
