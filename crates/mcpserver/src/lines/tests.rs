//! What the reader gets of lines.

use tokio::io::AsyncReadExt as _;

use super::*;

/// What the reader gets of an input, with lines of 100 bytes at most.
async fn check(input: &str, wanted: &str) {
    let mut lines = String::new();
    answerable(std::io::Cursor::new(input.as_bytes().to_vec()), 100)
        .read_to_string(&mut lines)
        .await
        .unwrap();
    assert_eq!(lines, wanted, "{input}");
}

#[tokio::test]
async fn lines_pass_unchanged() {
    for input in ["", "{}\n", "{}\r\n\n[1]\n", "{\"a\":\"\\ud83d\\ude00 \\u00e9 \\\\ud800\"}\n"] {
        check(input, input).await;
    }
}

#[tokio::test]
async fn half_of_a_pair_is_a_replacement_character() {
    check("{\"a\":\"\\ud800\"}\n", "{\"a\":\"\\ufffd\"}\n").await;
    check("[\"\\uDC00 \\ud83dx\",\"\\ud83d\\ude00\"]\n", "[\"\\ufffd \\ufffdx\",\"\\ud83d\\ude00\"]\n").await;
}

#[tokio::test]
async fn a_long_request_has_its_id() {
    let long = "x".repeat(2_000);
    let refused =
        |id: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"throughline/too_long\"}}\n");
    let last = format!(
        "{{\"method\":\"m\",\"params\":{{\"id\":1,\"t\":\"{long}\"}},\"jsonrpc\":\"2.0\",\"id\":7}}\n"
    );
    check(&format!("{last}{{}}\n"), &format!("{}{{}}\n", refused("7"))).await;
    let first =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"m\",\"params\":{{\"t\":\"{long}\"}}}}\n");
    check(&first, &refused("\"a\"")).await;
    let none = format!("{{\"method\":\"m\",\"params\":{{\"t\":\"{long}\",\"id\":9}}}}\n");
    check(&none, "").await;
}
