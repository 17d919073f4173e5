//! Laws of the wire: what is valid inside is valid outside, and a longer transcript extends the shorter one.

mod more_wires;

use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::Index;
use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{Message, Transcript};
use throughline_testserver::Demand;

use crate::openai::{OpenAiOptions, ThinkingBack};
use crate::tests::samples::any_request;
use crate::{anthropic, openai_chat, validate};

/// The requests that led to this one: the same transcript, cut where it was the user's side's turn to wait.
fn history(request: &CompletionRequest) -> Vec<CompletionRequest> {
    let messages: Vec<Message> = request.transcript.messages().cloned().collect();
    let cut = |end: usize| {
        let transcript = Transcript::from_messages(messages[..end].iter().cloned());
        CompletionRequest { transcript, tail: Vec::new(), breakpoints: Vec::new(), ..request.clone() }
    };
    let requests = (1..=messages.len()).map(cut);
    requests.filter(|request| request.faults().is_empty()).collect()
}

/// Blocks with their roles, without markers.
fn anthropic_blocks(body: &Value) -> Vec<Value> {
    let mut blocks = Vec::new();
    for message in body["messages"].as_array().unwrap() {
        for block in message["content"].as_array().unwrap() {
            let mut block = block.clone();
            block.as_object_mut().unwrap().remove("cache_control");
            blocks.push(json!([message["role"], block]));
        }
    }
    blocks
}

/// What a message says, whether as text or as parts.
fn openai_text(message: &Value) -> String {
    let part = |part: &Value| match part["text"].as_str() {
        Some(text) => text.to_owned(),
        None => part["image_url"]["url"].as_str().unwrap().to_owned(),
    };
    match &message["content"] {
        Value::Array(parts) => parts.iter().map(part).collect::<Vec<_>>().join("\n\n"),
        content => content.as_str().unwrap_or_default().to_owned(),
    }
}

fn openai_extends(short: &[Value], long: &[Value]) -> bool {
    let Some((last, before)) = short.split_last() else { return true };
    let Some(grown) = long.get(before.len()) else { return false };
    let same_role = last["role"] == grown["role"];
    let user = last["role"] == "user" && openai_text(grown).starts_with(&openai_text(last));
    long.starts_with(before) && (last == grown || same_role && user)
}

fn messages(body: &Value) -> &[Value] {
    body["messages"].as_array().unwrap()
}

/// The bodies of Chat Completions for every way in which thinking goes back.
fn chats(request: &CompletionRequest) -> [Value; 3] {
    [ThinkingBack::Never, ThinkingBack::AsItCame, ThinkingBack::Always].map(|thinking_back| {
        openai_chat::encode(request, OpenAiOptions { thinking_back, ..OpenAiOptions::openai() })
    })
}

/// Where all values of a body are, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(name, item)| places(item, &format!("{at}/{name}"), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| places(field, &format!("{at}/{name}"), found));
        }
        _ => {}
    }
}

/// Puts another value at a random place of a body.
fn broken(mut body: Value, place: Index, value: Value) -> Value {
    let mut found = Vec::new();
    places(&body, "", &mut found);
    *body.pointer_mut(place.get::<String>(&found)).unwrap() = value;
    body
}

fn any_value() -> impl Strategy<Value = Value> {
    let values =
        vec![json!(null), json!(true), json!(-1), json!(""), json!("é"), json!([]), json!({}), json!([[]])];
    proptest::sample::select(values)
}

proptest! {
    // Each case encodes a whole history of requests.
    #![proptest_config(ProptestConfig::with_cases(100))]

    // Law I-1: a request without faults has a body without faults, whatever is in it.
    #[test]
    fn a_valid_request_has_valid_bodies(request in any_request()) {
        prop_assert_eq!(request.faults(), vec![]);
        for request in history(&request).iter().chain([&request]) {
            let body = anthropic::encode(request);
            prop_assert_eq!(validate::anthropic(&body), vec![], "{:#}", body);
            for body in chats(request) {
                prop_assert_eq!(validate::openai_chat(&body), vec![], "{:#}", body);
            }
            let [never, _, always] = chats(request);
            prop_assert_eq!(&never, &openai_chat::encode(request, OpenAiOptions::openai()));
            prop_assert_eq!(Demand::Thinking.faults(&always), vec![], "{:#}", always);
        }
    }

    // Law I-6: same request, same bytes; a longer transcript extends the shorter one.
    #[test]
    fn a_longer_transcript_extends_the_body(request in any_request()) {
        let again = request.clone();
        prop_assert_eq!(anthropic::encode(&request).to_string(), anthropic::encode(&again).to_string());
        prop_assert_eq!(openai_chat::encode(&request, OpenAiOptions::openai()).to_string(), openai_chat::encode(&again, OpenAiOptions::openai()).to_string());
        for pair in history(&request).windows(2) {
            let (short, long) = (anthropic::encode(&pair[0]), anthropic::encode(&pair[1]));
            let (short, long) = (anthropic_blocks(&short), anthropic_blocks(&long));
            prop_assert!(long.starts_with(&short), "{:?} {:?}", short, long);
            for (short, long) in chats(&pair[0]).iter().zip(&chats(&pair[1])) {
                prop_assert!(openai_extends(messages(short), messages(long)), "{:#} {:#}", short, long);
            }
        }
    }

    #[test]
    fn the_tail_only_adds_to_the_end(request in any_request()) {
        let bare = CompletionRequest { tail: Vec::new(), ..request.clone() };
        let notes = request.tail.iter().map(|note| json!(["user", {"type": "text", "text": note}]));
        let with_notes: Vec<Value> = anthropic_blocks(&anthropic::encode(&bare)).into_iter().chain(notes).collect();
        prop_assert_eq!(anthropic_blocks(&anthropic::encode(&request)), with_notes);
        let (bare, noted) = (openai_chat::encode(&bare, OpenAiOptions::openai()), openai_chat::encode(&request, OpenAiOptions::openai()));
        prop_assert!(openai_extends(messages(&bare), messages(&noted)));
        prop_assert!(openai_text(messages(&noted).last().unwrap()).ends_with(&request.tail.join("\n\n")));
    }

    // Encoders and validators are total.
    #[test]
    fn nothing_panics(request in any_request(), cut in 0_usize..20, place in any::<Index>(), value in any_value()) {
        let messages = request.transcript.messages().skip(cut).cloned();
        let damaged = CompletionRequest { transcript: Transcript::from_messages(messages), ..request };
        let [_, _, always] = chats(&damaged);
        for body in [anthropic::encode(&damaged), openai_chat::encode(&damaged, OpenAiOptions::openai()), always] {
            let body = broken(body, place, value.clone());
            let found = [validate::anthropic(&body), validate::openai_chat(&body)];
            prop_assert!(found.iter().flatten().all(|fault| !fault.message.is_empty()));
        }
    }
}
