//! Whatever is said in a protocol is read back out of it by the decoders, in pieces of any size.

use proptest::prelude::*;
use serde_json::{Value, json};
use throughline_completion::{CompletionEvent, StopReason};
use throughline_conversation::{ContentBlock, Thinking, ToolCall, Usage};
use throughline_testserver::{Answer, Script, Server};
use throughline_wire::AnswerStream;
use throughline_wire::stream::Decoded;

use crate::client::{GENERATING, ask, hello};

/// What a decoder makes of an answer.
#[derive(Debug, PartialEq)]
struct Read {
    blocks: Vec<ContentBlock>,
    usage: Option<Usage>,
    stop: Option<StopReason>,
}

fn decoder(path: &str) -> AnswerStream {
    match path {
        "/v1/messages" => AnswerStream::anthropic("o-", []),
        "/v1/responses" => AnswerStream::openai_responses("o-", []),
        "/api/chat" => AnswerStream::ollama("o-"),
        _ => AnswerStream::openai_chat("o-", []),
    }
}

fn decode(path: &str, body: &[u8]) -> Read {
    let mut stream = decoder(path);
    let mut events = stream.push(body);
    events.extend(stream.finish());
    read(events)
}

fn read(events: Decoded) -> Read {
    let mut read = Read { blocks: Vec::new(), usage: None, stop: None };
    for event in events {
        match event.unwrap() {
            CompletionEvent::Block(block) => read.blocks.push(block),
            CompletionEvent::Usage(usage) => read.usage = Some(usage),
            CompletionEvent::Finished(stop) => read.stop = Some(stop),
            CompletionEvent::Unknown(value) => panic!("unknown: {value}"),
            CompletionEvent::TextDelta(_)
            | CompletionEvent::ThinkingDelta(_)
            | CompletionEvent::Detail(_) => {}
        }
    }
    read
}

/// What of the blocks a protocol can tell, in the order that its decoder gives.
fn expected(path: &str, blocks: &[ContentBlock]) -> Vec<ContentBlock> {
    let calls = (1..).zip(blocks.iter().filter_map(|block| match block {
        ContentBlock::ToolCall(call) => Some(call),
        _ => None,
    }));
    // Ollama's calls have no lasting ids.
    let calls = calls.map(|(number, call)| {
        let id = if path == "/api/chat" { format!("o-call_{number}") } else { call.id.clone() };
        ContentBlock::ToolCall(ToolCall { id, ..call.clone() })
    });
    let rest = blocks.iter().filter(|block| !matches!(block, ContentBlock::ToolCall(_))).cloned();
    rest.chain(calls).collect()
}

fn texts() -> impl Strategy<Value = String> {
    "[a-zA-Zа-яё👋🏽 \\n\"\\\\{}\u{2028}]{1,40}"
        .prop_filter("it says something", |text| !text.trim().is_empty())
}

fn inputs() -> impl Strategy<Value = Value> {
    let value =
        prop_oneof![texts().prop_map(Value::from), any::<i64>().prop_map(Value::from), Just(json!([null]))];
    prop::collection::btree_map("[a-zé]{1,6}", value, 0..4).prop_map(|fields| json!(fields))
}

/// An answer as models give them: a thought, a text, calls with ids of their own.
fn blocks() -> impl Strategy<Value = Vec<ContentBlock>> {
    let calls = prop::collection::vec(("[a-z_]{1,12}", inputs()), 0..4);
    (prop::option::of(texts()), prop::option::of(texts()), calls).prop_map(|(thought, text, calls)| {
        let thought = thought.map(|text| Thinking { text, signature: None, redacted: None });
        let calls = calls.into_iter().enumerate().map(|(index, (name, input))| {
            ContentBlock::ToolCall(ToolCall { id: format!("call_{index}"), name, input })
        });
        let thought = thought.map(ContentBlock::Thinking);
        thought.into_iter().chain(text.map(|text| ContentBlock::Text { text })).chain(calls).collect()
    })
}

/// The same with what only one protocol carries left out.
fn bare(blocks: Vec<ContentBlock>) -> Vec<ContentBlock> {
    let strip = |block| match block {
        ContentBlock::Thinking(thinking) => {
            ContentBlock::Thinking(Thinking { signature: None, redacted: None, ..thinking })
        }
        other => other,
    };
    blocks.into_iter().map(strip).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_is_read(
        blocks in blocks(),
        pieces_of in prop::option::of(1_usize..40),
        tokens in (0_u64..9999, 0_u64..9999, 0_u64..9999, 0_u64..9999),
    ) {
        let usage = Usage { input: tokens.0, cache_read: tokens.1, cache_write: tokens.2, output: tokens.3, searches: 0 };
        let answer = Answer::blocks(blocks.clone()).usage(usage);
        let answer = pieces_of.into_iter().fold(answer, Answer::pieces_of);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::start(Script::new().then(answer).repeat_last()).await.unwrap();
            for path in GENERATING {
                let mut body = hello(path, true);
                if path == "/v1/chat/completions" {
                    body["stream_options"] = json!({"include_usage": true});
                }
                let read = decode(path, &ask(&server, path, &body).await.body);
                let document = ask(&server, path, &hello(path, false)).await.body;
                let document = serde_json::from_slice(&document).unwrap();
                let whole = self::read(decoder(path).whole(document));
                assert_eq!((whole.usage, &whole.stop), (read.usage, &read.stop), "{path}");
                assert_eq!(bare(whole.blocks), bare(read.blocks.clone()), "{path}");
                assert_eq!(bare(read.blocks), expected(path, &blocks), "{path}");
                let all = Usage { input: usage.input + usage.cache_write, cache_write: 0, ..usage };
                assert_eq!(read.usage, Some(if path == "/api/chat" { all } else { usage }), "{path}");
                let calls = blocks.iter().any(|block| matches!(block, ContentBlock::ToolCall(_)));
                assert_eq!(read.stop, Some(if calls { StopReason::ToolUse } else { StopReason::EndTurn }), "{path}");
            }
        });
    }
}

#[tokio::test]
async fn anthropic_keeps_signatures_and_opaque_thinking() {
    let thinking = |text: &str, signature: Option<&str>, redacted: Option<&str>| {
        ContentBlock::Thinking(Thinking {
            text: text.to_owned(),
            signature: signature.map(str::to_owned),
            redacted: redacted.map(str::to_owned),
        })
    };
    let blocks = vec![
        thinking("hm", Some("sig"), None),
        thinking("", None, Some("opaque")),
        ContentBlock::Text { text: "hi".to_owned() },
    ];
    let server = Server::start(Script::new().then(Answer::blocks(blocks.clone()))).await.unwrap();
    let response = ask(&server, "/v1/messages", &hello("/v1/messages", true)).await;
    assert_eq!(decode("/v1/messages", &response.body).blocks, blocks);
}
