//! Answers in the form that the providers document, stored as data and sent by our test server: what the mock leaves
//! out is in them. They were not recorded at a provider; the figures and ids are made up.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, FigureSource, Thinking, Usage};
use throughline_providers::http::{Endpoint, Key};
use throughline_testserver::{Answer, Received, Script, Server};

use crate::for_each_protocol;
use crate::protocol::{Client, MAX_OUTPUT, Protocol, THINKING, WINDOW};
use crate::session::{NEXT, Session};

for_each_protocol!(a_turn_with_calls_thinking_and_cache);

/// What is said last in all of them.
const ANSWER: &str = "«alpha» has 5 letters and «βήτα» has 8 bytes.";

/// The key of the server.
const KEY: &str = "server-key-4711";

/// The two answers of a turn.
fn answers(protocol: Protocol) -> [Answer; 2] {
    macro_rules! streams {
        ($kind:literal, $calls:literal, $answer:literal) => {
            [
                include_bytes!(concat!("streams/", $calls)).to_vec(),
                include_bytes!(concat!("streams/", $answer)).to_vec(),
            ]
            .map(|body| Answer::raw($kind, body).pieces_of(7))
        };
    }
    match protocol {
        Protocol::Anthropic => {
            streams!("text/event-stream; charset=utf-8", "anthropic-calls.sse", "anthropic-answer.sse")
        }
        Protocol::Chat => streams!("text/event-stream; charset=utf-8", "chat-calls.sse", "chat-answer.sse"),
        Protocol::Responses => {
            streams!("text/event-stream; charset=utf-8", "responses-calls.sse", "responses-answer.sse")
        }
        Protocol::Gemini => {
            streams!("text/event-stream; charset=utf-8", "gemini-calls.sse", "gemini-answer.sse")
        }
        Protocol::Ollama => streams!("application/x-ndjson", "ollama-calls.ndjson", "ollama-answer.ndjson"),
    }
}

/// What these report.
fn usage(protocol: Protocol) -> [Usage; 2] {
    let usage = |input, cache_read, cache_write, output| Usage {
        input,
        cache_read,
        cache_write,
        output,
        searches: 0,
    };
    match protocol {
        Protocol::Anthropic => [usage(4, 0, 2_113, 164), usage(6, 2_113, 287, 23)],
        Protocol::Chat => [usage(2_131, 0, 0, 186), usage(289, 2_048, 0, 25)],
        Protocol::Responses => [usage(2_140, 0, 0, 211), usage(455, 2_048, 0, 27)],
        Protocol::Gemini => [usage(2_150, 0, 0, 179), usage(292, 2_048, 0, 24)],
        Protocol::Ollama => [usage(2_209, 0, 0, 143), usage(2_431, 0, 0, 21)],
    }
}

// S2-03 S3-14
async fn a_turn_with_calls_thinking_and_cache(protocol: Protocol) {
    let script = answers(protocol).into_iter().fold(Script::new().key(KEY), Script::then);
    let server = Server::start(script.then(Answer::text(NEXT.1))).await.unwrap();
    let endpoint = Endpoint::new(&server.url()).unwrap().with_key(Key::new(KEY));
    let mut session = Session::open(Client { thinks: true, ..Client::new(protocol, endpoint) }).await;
    let turn = session.turn("How long are alpha and βήτα?").await;
    assert_eq!(turn.text(), ANSWER);

    let usage = usage(protocol);
    assert_eq!(turn.usage(), usage);
    let [_, last] = usage;
    assert_eq!(session.used(), (last.prompt() + last.output, FigureSource::Exact));

    let received = server.received();
    assert_eq!(received.len(), 2);
    let [first, second] = [&received[0], &received[1]];
    for request in [first, second] {
        assert_eq!(request.faults, [""; 0], "{}", request.body);
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", protocol.path()));
        check_body(protocol, &request.body);
    }
    check_thinking(protocol, &session, second);
    // What was sent before is sent again, byte for byte: the markers alone move on.
    let (before, after) = (conversation(protocol, first), conversation(protocol, second));
    assert!(after.len() > before.len() && after.starts_with(&before), "{before:?} {after:?}");
    session.assert_usable().await;
}

/// What is particular to a protocol.
fn check_body(protocol: Protocol, body: &Value) {
    if protocol != Protocol::Gemini {
        // Both are in its address.
        assert_eq!((&body["model"], &body["stream"]), (&json!(protocol.model_name()), &json!(true)));
    }
    match protocol {
        Protocol::Anthropic => {
            assert_eq!(body["max_tokens"], MAX_OUTPUT);
            assert_eq!(body["thinking"], json!({"type": "enabled", "budget_tokens": THINKING}));
            let system = body["system"].as_array().unwrap();
            assert_eq!(system[system.len() - 1]["cache_control"], json!({"type": "ephemeral"}), "{body}");
            let last = body["messages"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|message| message["content"].as_array())
                .flatten()
                .last();
            assert_eq!(last.unwrap()["cache_control"], json!({"type": "ephemeral"}), "{body}");
            assert!((2..=4).contains(&body.to_string().matches("cache_control").count()), "{body}");
        }
        Protocol::Chat => {
            assert_eq!(body["max_completion_tokens"], MAX_OUTPUT);
            assert_eq!(body["prompt_cache_key"], "wire");
            assert_eq!(body["stream_options"], json!({"include_usage": true}));
        }
        Protocol::Responses => {
            assert_eq!(body["max_output_tokens"], MAX_OUTPUT);
            assert_eq!(body["prompt_cache_key"], "wire");
            assert_eq!(body["store"], false);
            assert_eq!(body["include"], json!(["reasoning.encrypted_content"]));
        }
        Protocol::Gemini => {
            let thinking = json!({"thinkingLevel": "low", "includeThoughts": true});
            let config = json!({"maxOutputTokens": MAX_OUTPUT, "thinkingConfig": thinking});
            assert_eq!(body["generationConfig"], config);
        }
        Protocol::Ollama => {
            assert_eq!(body["options"], json!({"num_ctx": WINDOW, "num_predict": MAX_OUTPUT}));
            assert_eq!((&body["truncate"], &body["shift"]), (&json!(false), &json!(false)));
        }
    }
}

/// Thinking is shown and kept as it came, and goes back with the calls that it led to where the wire takes it.
fn check_thinking(protocol: Protocol, session: &Session, second: &Received) {
    let blocks: Vec<ContentBlock> =
        session.messages().into_iter().flat_map(|message| message.content).collect();
    let kept: Vec<Thinking> = blocks
        .into_iter()
        .filter_map(|block| if let ContentBlock::Thinking(thinking) = block { Some(thinking) } else { None })
        .collect();
    let sent = conversation(protocol, second);
    match protocol {
        Protocol::Anthropic => {
            assert_eq!(kept.len(), 1);
            assert!(kept[0].text.contains("«βήτα»") && kept[0].signature.is_some(), "{kept:?}");
            let thinking = &sent[1]["content"][0];
            assert_eq!(
                *thinking,
                json!({"type": "thinking", "thinking": kept[0].text, "signature": kept[0].signature})
            );
        }
        Protocol::Responses => {
            let stream_text = include_str!("streams/responses-calls.sse");
            let completed = stream_text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap();
            let completed: Value = serde_json::from_str(completed).unwrap();
            let item = &completed["response"]["output"][0];
            assert_eq!(kept.len(), 1);
            let back = sent.iter().find(|item| item["type"] == "reasoning").unwrap();
            for field in ["id", "encrypted_content"] {
                assert_eq!(back[field], item[field], "{field}");
            }
        }
        Protocol::Gemini => {
            // The thought, the signature of the first call, and that of the text.
            assert_eq!(kept.len(), 3, "{kept:?}");
            assert!(kept[0].text.contains("«βήτα»"), "{kept:?}");
            let parts = &sent[1]["parts"];
            assert_eq!(parts[0]["thoughtSignature"], "EsoDCscDAXLI2nw3MeS7z4Rm0b9vQm5wY2Fs");
            assert_eq!(
                (&parts[0]["functionCall"]["id"], &parts[1]["functionCall"]["id"]),
                (&json!("lx8q24je"), &json!("p0c7wz1k"))
            );
            assert_eq!(parts[1].get("thoughtSignature"), None);
        }
        Protocol::Chat => assert_eq!(kept, [], "this API shows none"),
        Protocol::Ollama => {
            assert_eq!(kept.len(), 1);
            assert!(kept[0].text.starts_with("Okay, "), "{kept:?}");
            assert!(!second.body.to_string().contains("Okay, "), "templates drop it");
        }
    }
}

/// The conversation of a request, without markers.
fn conversation(protocol: Protocol, request: &Received) -> Vec<Value> {
    let mut said = protocol.conversation(&request.body).to_vec();
    for block in said.iter_mut().filter_map(|message| message.get_mut("content")?.as_array_mut()).flatten() {
        if let Some(block) = block.as_object_mut() {
            block.remove("cache_control");
        }
    }
    said
}
