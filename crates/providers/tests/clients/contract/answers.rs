//! Answers arrive unchanged.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a client that breaks the contract fails the test"
)]

use serde_json::json;
use throughline_completion::{CompletionEvent, StopReason};
use throughline_conversation::{ContentBlock, Message, Role, Thinking, ToolCall, ToolResult, Usage};
use throughline_testserver::Answer;

use super::{Wire, answer, events, hello, only, request};

const TEXT: &str = "Grüße aus 東京, 👩‍👩‍👧 und \"Quotes\"\n\tund \\ – Ende.";

fn text_of(events: &[CompletionEvent]) -> String {
    let delta = |event: &CompletionEvent| match event {
        CompletionEvent::TextDelta(text) => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(delta).collect()
}

fn call(id: &str, name: &str, path: &str) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        input: json!({"path": path}),
    })
}

// S3-31
pub(crate) async fn a_text(wire: &Wire) {
    let server = wire.server([Answer::text(TEXT)]).await;
    let events = events(wire.client(&server).as_ref(), &hello()).await;
    assert_eq!(text_of(&events), TEXT);
    let blocks: Vec<_> =
        events.iter().filter(|event| matches!(event, CompletionEvent::Block(_))).cloned().collect();
    assert_eq!(blocks, [CompletionEvent::Block(ContentBlock::Text { text: TEXT.to_owned() })]);
    assert_eq!(events.last(), Some(&CompletionEvent::Finished(StopReason::EndTurn)));
    let received = only(&server);
    assert_eq!(received.faults, Vec::<String>::new());
    assert!(!received.hung_up);
}

pub(crate) async fn a_text_in_small_pieces(wire: &Wire) {
    for bytes in [1, 3] {
        let server = wire.server([Answer::text(TEXT).pieces_of(bytes)]).await;
        let events = events(wire.client(&server).as_ref(), &hello()).await;
        assert_eq!(text_of(&events), TEXT, "in pieces of {bytes}");
    }
}

pub(crate) async fn parallel_calls(wire: &Wire) {
    let text = ContentBlock::Text { text: "Let me look.".to_owned() };
    let said = vec![text, call("call_a", "read", "a.rs"), call("call_b", "list", "é/b")];
    let server = wire.server([Answer::blocks(said.clone()), Answer::text("done")]).await;
    let client = wire.client(&server);
    let (message, stop, _) = answer(client.as_ref(), &hello()).await;
    assert_eq!(stop, StopReason::ToolUse);
    let calls: Vec<ToolCall> = message.tool_calls().cloned().collect();
    let sent: Vec<_> = calls.iter().map(|call| (call.name.as_str(), call.input.clone())).collect();
    assert_eq!(sent, [("read", json!({"path": "a.rs"})), ("list", json!({"path": "é/b"}))]);
    if wire.ids {
        assert_eq!(message.content, said);
    }
    let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
    assert!(ids[0] != ids[1] && ids.iter().all(|id| !id.is_empty()), "{ids:?}");
    let results = calls.iter().map(|call| ToolResult::text(call.id.as_str(), "ok"));
    let next = request([Message::user("hello"), message, Message::results(results)]);
    assert_eq!(answer(client.as_ref(), &next).await.0, Message::assistant("done"));
    // The server's validator looks whether each result has its call.
    for received in server.received() {
        assert_eq!(received.faults, Vec::<String>::new());
    }
}

// F-05: thinking goes back as it came, or not at all.
pub(crate) async fn thinking_goes_back(wire: &Wire) {
    let thought = Thinking {
        text: "Which file? Grüße.".to_owned(),
        signature: Some("c2lnbmF0dXJl+/=".to_owned()),
        redacted: None,
    };
    let said = vec![ContentBlock::Thinking(thought.clone()), call("call_a", "read", "a.rs")];
    let server = wire.server([Answer::blocks(said), Answer::text("done")]).await;
    let client = wire.client(&server);
    let events = events(client.as_ref(), &hello()).await;
    let shown: String = events
        .iter()
        .filter_map(|event| match event {
            CompletionEvent::ThinkingDelta(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(shown, thought.text);
    let blocks = events.into_iter().filter_map(|event| match event {
        CompletionEvent::Block(block) => Some(block),
        _ => None,
    });
    let message = Message { role: Role::Assistant, content: blocks.collect() };
    let Some(ContentBlock::Thinking(came)) = message.content.first() else { panic!("{message:?}") };
    let came = came.clone();
    assert_eq!(came, (wire.thinking)(thought));
    let ids: Vec<String> = message.tool_calls().map(|call| call.id.clone()).collect();
    let results = Message::results(ids.into_iter().map(|id| ToolResult::text(id, "ok")));
    answer(client.as_ref(), &request([Message::user("hello"), message, results])).await;
    let received = server.received();
    assert_eq!(received[1].faults, Vec::<String>::new());
    if let Some(gives_back) = wire.gives_back {
        assert!(gives_back(&received[1].body, &came), "{:#}", received[1].body);
    }
}

pub(crate) async fn usage(wire: &Wire) {
    let reported = Usage { input: 11, cache_read: 2_048, cache_write: 300, output: 17, searches: 0 };
    let server = wire.server([Answer::text("ok").usage(reported), Answer::text("ok").no_usage()]).await;
    let client = wire.client(&server);
    assert_eq!(answer(client.as_ref(), &hello()).await.2, Some((wire.usage)(reported)));
    assert_eq!(answer(client.as_ref(), &hello()).await.2, None);
}

pub(crate) async fn reasons_to_stop(wire: &Wire) {
    for (sent, arrives) in wire.stops {
        let server = wire.server([Answer::text("ok").stop(sent.clone())]).await;
        let (message, stop, _) = answer(wire.client(&server).as_ref(), &hello()).await;
        assert_eq!((&stop, message), (arrives, Message::assistant("ok")));
    }
}

pub(crate) async fn an_empty_answer(wire: &Wire) {
    let server = wire.server([Answer::blocks(Vec::new())]).await;
    let (message, stop, _) = answer(wire.client(&server).as_ref(), &hello()).await;
    assert_eq!((message.content, stop), (Vec::new(), StopReason::EndTurn));
}

pub(crate) async fn broken_arguments(wire: &Wire) {
    let server = wire.server([Answer::call("call_a", "read", json!({"path": "a.rs"})).bad_input()]).await;
    let (message, _, _) = answer(wire.client(&server).as_ref(), &hello()).await;
    let calls: Vec<&ToolCall> = message.tool_calls().collect();
    assert_eq!(calls.len(), 1);
    assert_eq!((calls[0].name.as_str(), calls[0].id.is_empty()), ("read", false));
    if wire.ids {
        assert_eq!(calls[0].id, "call_a");
    }
    assert!(calls[0].input.is_object());
    assert!(calls[0].input.to_string().contains(r#"{\"path\": \"a"#), "{}", calls[0].input);
}
