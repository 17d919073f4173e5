//! What the server says, as a decision.

use super::OllamaError;

fn check(body: &str, expected: &str) {
    let redact = |text: &str| text.replace("s3cret", "[key]");
    let error = OllamaError::answered("h:1".to_owned(), &redact(body), redact);
    assert_eq!(error.about("q").to_string(), expected);
}

#[test]
fn the_words_of_the_server_decide() {
    check(
        r#"{"error":"model 'q' not found"}"#,
        "ollama has no model \"q\" (model 'q' not found); `ollama list` shows what is there, `ollama pull` fetches more",
    );
    check(r#"{"error":"no key s3cret here"}"#, "ollama at h:1 refuses: no key [key] here");
    check(r#"{"error":"no key s3cr\u0065t here"}"#, "ollama at h:1 refuses: no key [key] here");
    check("<html>\nhello", "h:1 does not answer like ollama (<html> hello); is this the right address?");
    check("", "h:1 does not answer like ollama (an error without words); is this the right address?");
}
