//! What the server's prompt cache reads and stores, by the providers' published rules.
#![expect(clippy::indexing_slicing, reason = "a missing field fails the test")]

use std::time::Duration;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

use crate::client::ask;

/// This many tokens of text, at four bytes for one.
fn words(tokens: usize) -> String {
    "abcd".repeat(tokens)
}

async fn server() -> Server {
    Server::start(Script::new().then(Answer::text("Yes.")).repeat_last().prompt_cache(1_024)).await.unwrap()
}

/// Tokens that were read and written.
async fn ask_anthropic(server: &Server, blocks: &[Value]) -> (u64, u64) {
    let body = json!({"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": blocks}]});
    let usage = ask(server, "/v1/messages", &body).await.json()["usage"].clone();
    let figure = |name: &str| usage[name].as_u64().unwrap();
    (figure("cache_read_input_tokens"), figure("cache_creation_input_tokens"))
}

async fn ask_openai(server: &Server, body: &Value) -> (u64, u64) {
    let usage = ask(server, "/v1/responses", body).await.json()["usage"].clone();
    let details = &usage["input_tokens_details"];
    (details["cached_tokens"].as_u64().unwrap(), details["cache_write_tokens"].as_u64().unwrap())
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn marked(text: &str) -> Value {
    json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}})
}

#[tokio::test]
async fn a_marked_prefix_is_read_for_five_minutes_after_its_last_use() {
    let server = server().await;
    let long = words(2_000);
    let (read, written) = ask_anthropic(&server, &[marked(&long)]).await;
    assert_eq!(read, 0);
    assert!(written > 2_000, "{written}");
    for (pause, warm) in [(299, true), (299, true), (301, false)] {
        server.advance(Duration::from_secs(pause));
        let used = ask_anthropic(&server, &[marked(&long)]).await;
        assert_eq!(used, if warm { (written, 0) } else { (0, written) }, "after {pause} s");
    }
}

#[tokio::test]
async fn a_prefix_is_found_nineteen_blocks_before_a_marker_and_no_further() {
    for (blocks, found) in [(19, true), (20, false)] {
        let server = server().await;
        let long = words(2_000);
        let (_, written) = ask_anthropic(&server, &[marked(&long)]).await;
        let mut all = vec![text(&long)];
        all.extend((1..blocks).map(|index| text(&format!("{index}"))));
        all.push(marked("last"));
        let (read, _) = ask_anthropic(&server, &all).await;
        assert_eq!(read, if found { written } else { 0 }, "{blocks} blocks behind it");
    }
}

#[tokio::test]
async fn a_prefix_that_is_too_short_is_not_stored() {
    let server = server().await;
    let short = words(900);
    for _ in 0..2 {
        assert_eq!(ask_anthropic(&server, &[marked(&short)]).await, (0, 0));
    }
}

#[tokio::test]
async fn without_markers_prefixes_are_read_in_steps_of_128_tokens() {
    let server = server().await;
    let ask = |text: String| json!({"model": "m", "input": text});
    assert_eq!(ask_openai(&server, &ask(words(1_500) + "one")).await, (0, 0));
    assert_eq!(ask_openai(&server, &ask(words(1_500) + "two")).await, (1_408, 0));
    server.advance(Duration::from_secs(31 * 60));
    assert_eq!(ask_openai(&server, &ask(words(1_500) + "three")).await, (0, 0));
    assert_eq!(ask_openai(&server, &ask(words(1_000))).await, (0, 0), "too short");
}

#[tokio::test]
async fn explicit_breakpoints_are_matched_exactly_and_at_any_distance() {
    let server = server().await;
    let part = |text: &str, marked: bool| match marked {
        true => json!({"type": "input_text", "text": text, "prompt_cache_breakpoint": {"mode": "explicit"}}),
        false => json!({"type": "input_text", "text": text}),
    };
    let ask = |parts: Vec<Value>| {
        json!({"model": "m", "input": [{"role": "user", "content": parts}],
               "prompt_cache_options": {"mode": "explicit", "ttl": "30m"}})
    };
    let long = words(2_000);
    let (read, written) = ask_openai(&server, &ask(vec![part(&long, true)])).await;
    assert!(read == 0 && written > 2_000, "{read} {written}");
    let more = (0..40).map(|index| part(&index.to_string(), false));
    let again: Vec<Value> = [part(&long, true)].into_iter().chain(more.clone()).collect();
    assert_eq!(ask_openai(&server, &ask(again)).await, (written, 0));
    let unmarked: Vec<Value> = [part(&long, false)].into_iter().chain(more).collect();
    assert_eq!(ask_openai(&server, &ask(unmarked)).await, (0, 0), "no marker, no cache");
}
