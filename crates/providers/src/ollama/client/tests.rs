//! Sessions with a server that counts by a real tokenizer, and either reads all of a request or cuts it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use throughline_budget::ScriptAwareEstimator;
use throughline_completion::{CompletionRequest, LanguageModel, ModelError, ModelInfo};
use throughline_conversation::{ContentBlock, Message, Role, TokenCounter, ToolCall, ToolResult};

use super::OllamaModel;
use throughline_testkit::request;

use crate::http::{Endpoint, HttpAnswer, HttpRequest, Transport, TransportError};
use crate::tokens::BpeCounter;

/// What a server does with a request that is longer than its window.
#[derive(Debug, Clone, Copy)]
enum Cuts {
    /// It has none: everything fits.
    Nothing,
    /// It keeps half of the window and a little.
    Half(u64),
    /// It fills the window.
    Full(u64),
    /// It leaves out the oldest messages.
    Messages(u64),
    /// Nothing; but it counts only what was new to it.
    CountsNew,
}

/// A server whose model has the tokenizer `o200k_base`.
#[derive(Debug)]
struct Server {
    cuts: Cuts,
    /// The messages of the newest request.
    last: Mutex<Vec<Value>>,
}

/// The real tokens of a text. A session sends its texts again and again, so each is counted once.
fn tokens_of(text: &str) -> u64 {
    thread_local! {
        static COUNTED: RefCell<HashMap<String, u64>> = RefCell::default();
    }
    COUNTED.with_borrow_mut(|counted| match counted.get(text) {
        Some(tokens) => *tokens,
        None => *counted.entry(text.to_owned()).or_insert(BpeCounter.text(text)),
    })
}

fn tokens(messages: &[&Value]) -> u64 {
    let message = |message: &&Value| {
        let calls = message.get("tool_calls").map_or(0, |calls| tokens_of(&calls.to_string()));
        tokens_of(message["content"].as_str().unwrap()) + calls + 4
    };
    messages.iter().map(message).sum()
}

impl Server {
    fn new(cuts: Cuts) -> Self {
        Self { cuts, last: Mutex::default() }
    }

    fn reads(&self, body: &Value) -> u64 {
        let tools = tokens_of(&body["tools"].to_string());
        let messages: Vec<&Value> = body["messages"].as_array().unwrap().iter().collect();
        let all = tokens(&messages) + tools;
        match self.cuts {
            Cuts::CountsNew => {
                let mut last = self.last.lock().unwrap();
                let known = last.iter().zip(&messages).take_while(|(old, new)| old == *new).count();
                *last = messages.iter().map(|message| (*message).clone()).collect();
                if known == 0 { all } else { tokens(&messages[known..]) }
            }
            Cuts::Half(window) if all > window => window / 2 + 2,
            Cuts::Full(window) if all > window => window,
            Cuts::Messages(window) if all > window => {
                let (system, rest) = messages.split_first().unwrap();
                let fits = |from: &usize| tokens(&[&[*system], &rest[*from..]].concat()) + tools <= window;
                let from = (0..rest.len()).find(fits).unwrap_or(rest.len() - 1);
                tokens(&[&[*system], &rest[from..]].concat()) + tools
            }
            _ => all,
        }
    }
}

#[async_trait]
impl Transport for Server {
    async fn send(&self, request: HttpRequest) -> Result<HttpAnswer, TransportError> {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let line = json!({"model": "m", "message": {"role": "assistant", "content": "ok"}, "done": true,
            "done_reason": "stop", "prompt_eval_count": self.reads(&body), "eval_count": 1});
        Ok(HttpAnswer {
            status: 200,
            content_type: "application/x-ndjson".to_owned(),
            retry_after: None,
            retry_after_ms: None,
            should_retry: None,
            request_id: None,
            location: None,
            body: stream::iter([Ok(format!("{line}\n").into())]).boxed(),
        })
    }
}

/// A session: a model and its messages.
struct Session {
    model: OllamaModel,
    messages: Vec<Message>,
}

impl Session {
    fn new(cuts: Cuts) -> Self {
        let info = ModelInfo::with_window("m", 32_768, 1_024);
        let endpoint = Endpoint::new("http://127.0.0.1:9").unwrap();
        let model =
            OllamaModel::new(info, endpoint, Arc::new(Server::new(cuts)), Arc::new(ScriptAwareEstimator));
        Self { model, messages: Vec::new() }
    }

    fn request(&self) -> CompletionRequest {
        request(self.messages.clone())
    }

    /// Sends the messages; returns the limit of the overflow, if it is one.
    async fn send(&self) -> Option<Option<u64>> {
        let mut events = self.model.stream(&self.request()).await.unwrap();
        while let Some(event) = events.next().await {
            match event {
                Ok(_) => {}
                Err(ModelError::Overflow { limit, .. }) => return Some(limit),
                Err(other) => panic!("{other:?}"),
            }
        }
        None
    }

    fn asks(&mut self, text: &str) {
        self.messages.push(Message::user(text));
    }

    fn answers(&mut self, text: &str) {
        self.messages.push(Message::assistant(text));
    }

    /// A call and its result.
    fn reads_file(&mut self, text: &str) {
        let id = format!("c{}", self.messages.len());
        let call =
            ToolCall { id: id.clone(), name: "read".to_owned(), input: json!({"path": "src/a file.rs"}) };
        self.messages.push(Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] });
        self.messages.push(Message::results([ToolResult::text(id, text)]));
    }

    /// How many estimated tokens the whole has.
    fn estimate(&self) -> u64 {
        self.messages.iter().map(|message| ScriptAwareEstimator.message(message)).sum()
    }

    /// How many tokens it really has, about.
    fn truly(&self) -> u64 {
        let body = super::encode(&self.request(), 32_768);
        Server::new(Cuts::Nothing).reads(&body)
    }
}

/// Names of kinds of text, and some lines of each.
const TEXTS: &[(&str, &str)] = &[
    ("english", include_str!("tests/english.txt")),
    ("code", include_str!("tests/code.txt")),
    ("hindi", include_str!("tests/hindi.txt")),
    ("arabic", include_str!("tests/arabic.txt")),
    ("tamil", include_str!("tests/tamil.txt")),
    ("thai", include_str!("tests/thai.txt")),
    ("georgian", include_str!("tests/georgian.txt")),
    ("chinese", include_str!("tests/chinese.txt")),
    ("rulers", include_str!("tests/rulers.txt")),
    ("table", include_str!("tests/table.txt")),
    ("numbers", include_str!("tests/numbers.txt")),
    ("base64", include_str!("tests/base64.txt")),
];

/// This many repetitions of a text, each with its number.
fn many(text: &str, times: usize) -> String {
    (0..times).map(|time| format!("{time}. {text}\n")).collect()
}

/// Repetitions of a text that really have about this many tokens.
fn long(text: &str, wanted: u64) -> String {
    let one = tokens_of(text).max(1);
    many(text, usize::try_from(wanted / one + 1).unwrap())
}

#[tokio::test]
async fn a_whole_request_is_never_taken_for_a_cut_one() {
    for (kind, text) in TEXTS {
        for wanted in [600, 5_000] {
            let mut session = Session::new(Cuts::Nothing);
            session.asks(&long(text, wanted));
            assert_eq!(session.send().await, None, "{kind}, {wanted} tokens at once");
            for step in 0..6 {
                session.reads_file(&long(text, 150 + 90 * step));
                assert_eq!(session.send().await, None, "{kind}, step {step}");
            }
        }
    }
}

#[tokio::test]
async fn nor_by_a_server_that_counts_only_what_was_new() {
    for (kind, text) in TEXTS {
        let mut session = Session::new(Cuts::CountsNew);
        session.asks(&long(text, 6_000));
        for step in 0..8 {
            assert_eq!(session.send().await, None, "{kind}, step {step}");
            session.reads_file(&long(text, if step == 4 { 4_000 } else { 200 }));
        }
        session.answers("It is done.");
        session.asks("Thanks; and now?");
        assert_eq!(session.send().await, None, "{kind}, at the end");
    }
}

#[tokio::test]
async fn nor_is_one_whose_texts_are_of_many_kinds() {
    // The estimate is right for the first and may be three times too high for the second, or the other way round.
    for (first, before) in &TEXTS[..3] {
        for (second, behind) in TEXTS {
            let mut session = Session::new(Cuts::Nothing);
            session.asks(&long(before, 500));
            assert_eq!(session.send().await, None, "{first}");
            session.answers("I see.");
            session.asks(&long(behind, 1_500));
            assert_eq!(session.send().await, None, "{second} behind {first}");
            // The front is gone, as after a compaction: another conversation.
            session.messages.remove(0);
            session.messages.remove(0);
            assert_eq!(session.send().await, None, "{second}, {first} taken out");
        }
    }
}

#[tokio::test]
async fn a_cut_shows_soon_after_the_window_is_full() {
    let window = 4_096;
    for (kind, text) in TEXTS {
        for cuts in [Cuts::Half(window), Cuts::Full(window), Cuts::Full(window - 500), Cuts::Messages(window)]
        {
            let mut session = Session::new(cuts);
            session.asks(&long(text, 2_500));
            let mut seen = None;
            for step in 0..60 {
                seen = session.send().await;
                if seen.is_some() {
                    break;
                }
                session.reads_file(&long(text, 150 + 20 * (step % 7)));
            }
            let (limit, truly) = (seen.unwrap_or_else(|| panic!("{kind}, {cuts:?}")), session.truly());
            assert!(truly > window - 500 && truly < 2 * window, "{kind}, {cuts:?}: {truly} tokens");
            if matches!(cuts, Cuts::Half(_)) {
                assert_eq!(limit, Some(window), "{kind}, {cuts:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_first_request_that_is_cut_shows_where_it_surely_does() {
    for (kind, text) in TEXTS {
        let mut session = Session::new(Cuts::Half(2_048));
        session.asks(&long(text, 5_000));
        assert_eq!(session.send().await, Some(Some(2_048)), "{kind}, of {}", session.estimate());
        session.messages[0] = Message::user("short");
        assert_eq!(session.send().await, None, "{kind}");
    }
    // A figure that says nothing by itself: the blanks do.
    let mut session = Session::new(Cuts::Full(1_500));
    session.asks(&long(TEXTS[0].1, 5_000));
    assert_eq!(session.send().await, Some(None));
}
