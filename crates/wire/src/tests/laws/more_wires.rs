//! The same laws for the Responses API, Ollama and Gemini.

use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::Index;
use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::Transcript;

use super::{any_value, broken, history, messages};
use crate::gemini::{self, GeminiOptions};
use crate::openai::OpenAiOptions;
use crate::tests::samples::any_request;
use crate::{ollama, openai_responses, validate};

const WINDOW: u64 = 8_192;
const SIGNED: GeminiOptions =
    GeminiOptions { thinking_budget: None, signed_calls: Some(true), web_search: Some(true) };

/// OpenAI's options with cache breakpoints on the wire.
fn marked() -> OpenAiOptions {
    OpenAiOptions { cache_breakpoints: true, ..OpenAiOptions::openai() }
}

fn markers(body: &Value) -> usize {
    body.to_string().matches("\"prompt_cache_breakpoint\"").count()
}

/// Parts with their roles.
fn gemini_parts(body: &Value) -> Vec<Value> {
    let contents = body["contents"].as_array().unwrap();
    let parts = |content: &Value| -> Vec<Value> {
        content["parts"].as_array().unwrap().iter().map(|part| json!([content["role"], part])).collect()
    };
    contents.iter().flat_map(parts).collect()
}

/// Parts with their roles, and all other items unchanged.
fn response_parts(body: &Value) -> Vec<Value> {
    let mut parts = Vec::new();
    for item in body["input"].as_array().unwrap() {
        match item["content"].as_array() {
            Some(content) => parts.extend(content.iter().map(|part| json!([item["role"], part]))),
            None => parts.push(item.clone()),
        }
    }
    parts
}

/// Returns true if a user message has grown at its end, in its text, its pictures or both.
fn grew(short: &Value, long: &Value) -> bool {
    let text = |message: &Value| message["content"].as_str().unwrap().to_owned();
    let pictures = |message: &Value| message["images"].as_array().cloned().unwrap_or_default();
    short["role"] == "user"
        && long["role"] == "user"
        && text(long).starts_with(&text(short))
        && pictures(long).starts_with(&pictures(short))
}

fn ollama_extends(short: &Value, long: &Value) -> bool {
    let (short, long) = (messages(short), messages(long));
    let Some((last, before)) = short.split_last() else { return true };
    let Some(now) = long.get(before.len()) else { return false };
    long.starts_with(before) && (last == now || grew(last, now))
}

/// Everything of a body but its messages.
fn head(body: &Value, list: &str) -> Value {
    let mut head = body.clone();
    head.as_object_mut().unwrap().remove(list);
    head
}

proptest! {
    // Each case encodes a whole history of requests.
    #![proptest_config(ProptestConfig::with_cases(100))]

    // Law I-1
    #[test]
    fn a_valid_request_has_valid_bodies(request in any_request(), limit in 1_u64..40) {
        for request in history(&request).iter().chain([&request]) {
            let request = CompletionRequest { max_output_tokens: limit, ..request.clone() };
            prop_assert_eq!(request.faults(), vec![]);
            let body = openai_responses::encode(&request, OpenAiOptions::openai());
            prop_assert_eq!(validate::openai_responses(&body), vec![], "{:#}", body);
            let body = openai_responses::encode(&request, marked());
            prop_assert_eq!(validate::openai_responses(&body), vec![], "{:#}", body);
            prop_assert!(markers(&body) <= 4, "{:#}", body);
            let body = ollama::encode(&request, WINDOW);
            prop_assert_eq!(validate::ollama(&body), vec![], "{:#}", body);
            let body = gemini::encode(&request, &SIGNED);
            prop_assert_eq!(validate::gemini("gemini-3-pro", &body), vec![], "{:#}", body);
            let body = gemini::encode(&request, &GeminiOptions::default());
            prop_assert_eq!(validate::gemini("gemini-2.5-pro", &body), vec![], "{:#}", body);
        }
    }

    // Law I-6
    #[test]
    fn a_longer_transcript_extends_the_body(request in any_request()) {
        let again = request.clone();
        prop_assert_eq!(
            openai_responses::encode(&request, OpenAiOptions::openai()).to_string(),
            openai_responses::encode(&again, OpenAiOptions::openai()).to_string()
        );
        prop_assert_eq!(
            ollama::encode(&request, WINDOW).to_string(),
            ollama::encode(&again, WINDOW).to_string()
        );
        prop_assert_eq!(
            gemini::encode(&request, &SIGNED).to_string(),
            gemini::encode(&again, &SIGNED).to_string()
        );
        for pair in history(&request).windows(2) {
            let (short, long) = (gemini::encode(&pair[0], &SIGNED), gemini::encode(&pair[1], &SIGNED));
            prop_assert_eq!(head(&short, "contents"), head(&long, "contents"));
            prop_assert!(gemini_parts(&long).starts_with(&gemini_parts(&short)), "{:#} {:#}", short, long);
            let (short, long) = (openai_responses::encode(&pair[0], OpenAiOptions::openai()), openai_responses::encode(&pair[1], OpenAiOptions::openai()));
            prop_assert_eq!(head(&short, "input"), head(&long, "input"));
            prop_assert!(response_parts(&long).starts_with(&response_parts(&short)), "{:#} {:#}", short, long);
            let (short, long) = (openai_responses::encode(&pair[0], marked()), openai_responses::encode(&pair[1], marked()));
            prop_assert_eq!(head(&short, "input"), head(&long, "input"));
            prop_assert!(response_parts(&long).starts_with(&response_parts(&short)), "{:#} {:#}", short, long);
            let (short, long) = (ollama::encode(&pair[0], WINDOW), ollama::encode(&pair[1], WINDOW));
            prop_assert_eq!(head(&short, "messages"), head(&long, "messages"));
            prop_assert!(ollama_extends(&short, &long), "{:#} {:#}", short, long);
        }
    }

    #[test]
    fn the_tail_only_adds_to_the_end(request in any_request()) {
        let bare = CompletionRequest { tail: Vec::new(), ..request.clone() };
        let note = |note: &String| json!(["user", {"type": "input_text", "text": note}]);
        let mut with_notes = response_parts(&openai_responses::encode(&bare, OpenAiOptions::openai()));
        with_notes.extend(request.tail.iter().map(note));
        prop_assert_eq!(response_parts(&openai_responses::encode(&request, OpenAiOptions::openai())), with_notes);
        let part = |note: &String| json!(["user", {"text": note}]);
        let mut with_notes = gemini_parts(&gemini::encode(&bare, &SIGNED));
        with_notes.extend(request.tail.iter().map(part));
        prop_assert_eq!(gemini_parts(&gemini::encode(&request, &SIGNED)), with_notes);
        let noted = ollama::encode(&request, WINDOW);
        prop_assert!(ollama_extends(&ollama::encode(&bare, WINDOW), &noted));
        let last = messages(&noted).last().unwrap()["content"].as_str().unwrap();
        prop_assert!(last.ends_with(&request.tail.join("\n\n")));
    }

    // Each call's result is at the call's own place, though the wire has no ids.
    #[test]
    fn ollama_answers_calls_in_their_order(request in any_request()) {
        let body = ollama::encode(&request, WINDOW);
        let mut said = messages(&body).iter().filter(|message| message["role"] == "tool");
        let all: Vec<_> = request.transcript.messages().collect();
        for pair in all.windows(2) {
            for call in pair[0].tool_calls() {
                let result = pair[1].tool_results().find(|result| result.call_id == call.id).unwrap();
                let content = said.next().unwrap()["content"].as_str().unwrap();
                prop_assert!(content.ends_with(&result.content), "{content:?} {result:?}");
            }
        }
        prop_assert_eq!(said.next(), None);
    }

    // Encoders and validators are total.
    #[test]
    fn nothing_panics(request in any_request(), cut in 0_usize..20, place in any::<Index>(), value in any_value()) {
        let messages = request.transcript.messages().skip(cut).cloned();
        let damaged = CompletionRequest { transcript: Transcript::from_messages(messages), ..request };
        for body in [openai_responses::encode(&damaged, OpenAiOptions::openai()), openai_responses::encode(&damaged, marked()), ollama::encode(&damaged, 0), gemini::encode(&damaged, &SIGNED)] {
            let body = broken(body, place, value.clone());
            let found = [validate::openai_responses(&body), validate::ollama(&body), validate::gemini("gemini-3-pro", &body)];
            prop_assert!(found.iter().flatten().all(|fault| !fault.message.is_empty()));
        }
    }
}
