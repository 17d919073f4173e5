//! Lists of messages as frameworks hold them: rewound, with results and words in one message, with blank ones and several answers in a row.

#![expect(clippy::unwrap_used, reason = "tests may fail")]

use std::collections::HashSet;

use serde_json::{Value, json};
use throughline_contexts::{CallError, Contexts, ErrorCode, Open, Reference, SyncList, SyncedList, WireForm};

async fn opened(wire: WireForm, window: u64) -> Contexts {
    let contexts = Contexts::default();
    let open = Open { model: "test".to_owned(), window: Some(window), wire, ..Open::default() };
    contexts.open("list", None, open).await.unwrap();
    contexts
}

async fn synced(contexts: &Contexts, known: usize, list: &[Value]) -> Result<SyncedList, CallError> {
    let tail = list.get(known..).unwrap_or_default();
    let messages = tail.iter().map(|item| serde_json::from_value(item.clone()).unwrap()).collect();
    contexts.run("list", None, SyncList { known: known as u64, messages, usage: None }).await
}

/// The messages of the request.
fn sent(synced: &SyncedList, list: &[Value]) -> Vec<Value> {
    let place = |at: &u64| usize::try_from(*at).unwrap();
    let messages = synced.references.iter().flat_map(|one| match one {
        Reference::Given { from, to } => list.get(place(from)..place(to)).unwrap().to_vec(),
        Reference::Changed { messages, .. } | Reference::Made { messages, .. } => {
            messages.iter().cloned().map(Value::Object).collect()
        }
    });
    messages.collect()
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn model(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

fn calls(ids: &[&str]) -> Value {
    let call = |id: &&str| json!({ "id": id, "type": "function", "function": { "name": "look", "arguments": "{}" } });
    json!({ "role": "assistant", "content": null, "tool_calls": ids.iter().map(call).collect::<Vec<_>>() })
}

fn result(id: &str, text: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": text })
}

#[tokio::test]
async fn ids_of_a_part_that_was_rewound_are_used_again_and_results_stay_with_their_calls() {
    for ids in [["x", "call_0"], ["call_1", "call_0"], ["call_0", "x"]] {
        let contexts = opened(WireForm::OpenaiChat, 60_000).await;
        let old = [
            user("p"),
            calls(&["call_0", "call_1"]),
            result("call_0", "old"),
            result("call_1", "old"),
            model("done"),
            user("q"),
        ];
        synced(&contexts, 0, &old).await.unwrap();
        let [one, other] = ids;
        let new = [user("again"), calls(&ids), result(one, "one"), result(other, "two")];
        synced(&contexts, 0, new.get(..1).unwrap()).await.unwrap();
        let request = synced(&contexts, 0, &new).await.unwrap();
        let results: Vec<Value> = sent(&request, &new)
            .into_iter()
            .filter(|item| item.get("role") == Some(&json!("tool")))
            .collect();
        assert_eq!(results, [result(one, "one"), result(other, "two")], "{ids:?}");
    }
}

/// A step of the model in one message, and its result with the user's words behind it in another.
fn interrupted(wire: WireForm, id: &str, rows: &str) -> [Value; 2] {
    match wire {
        WireForm::Gemini => {
            let response = json!({ "id": id, "name": "look", "response": { "output": rows } });
            [
                json!({ "role": "model", "parts": [{ "functionCall": { "id": id, "name": "look", "args": {} } }] }),
                json!({ "role": "user", "parts": [{ "functionResponse": response }, { "text": "Continue." }] }),
            ]
        }
        _ => {
            let result = json!({ "type": "tool_result", "tool_use_id": id, "content": rows });
            [
                json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": id, "name": "look", "input": {} }] }),
                json!({ "role": "user", "content": [result, { "type": "text", "text": "Continue." }] }),
            ]
        }
    }
}

/// The ids in the parts of messages: of calls, and of results.
fn ids(messages: &[Value], wire: WireForm) -> (HashSet<String>, HashSet<String>) {
    let (parts, call, result) = match wire {
        WireForm::Gemini => ("parts", "/functionCall/id", "/functionResponse/id"),
        _ => ("content", "/id", "/tool_use_id"),
    };
    let of = |pointer: &str| {
        let parts = messages.iter().filter_map(|message| message.get(parts)?.as_array()).flatten();
        parts.filter_map(|part| part.pointer(pointer)?.as_str().map(str::to_owned)).collect()
    };
    (of(call), of(result))
}

#[tokio::test]
async fn a_result_in_one_message_with_words_leaves_the_request_with_its_call() {
    for wire in [WireForm::Anthropic, WireForm::Gemini] {
        let contexts = opened(wire, 20_000).await;
        let rows = "row of data\n".repeat(200);
        let mut list = vec![match wire {
            WireForm::Gemini => json!({ "role": "user", "parts": [{ "text": "Go." }] }),
            _ => user("Go."),
        }];
        let mut compacted = 0;
        for step in 0..60 {
            let [calling, answered] = interrupted(wire, &format!("id_{step}"), &rows);
            list.extend([calling, answered]);
            let request = synced(&contexts, 0, &list).await.unwrap();
            compacted +=
                usize::from(request.references.iter().any(|one| matches!(one, Reference::Made { .. })));
            let (calls, results) = ids(&sent(&request, &list), wire);
            assert_eq!(calls, results, "{wire:?}, step {step}");
        }
        assert!(compacted > 0, "{wire:?}");
    }
}

#[tokio::test]
async fn answers_in_a_row_and_blank_messages_are_taken_and_sent_unchanged() {
    for wire in [WireForm::Anthropic, WireForm::OpenaiChat, WireForm::OpenaiResponses, WireForm::Gemini] {
        let in_form = |(role, text): &(&str, &str)| match wire {
            WireForm::Gemini => {
                json!({ "role": role.replace("assistant", "model"), "parts": [{ "text": text }] })
            }
            _ => json!({ "role": role, "content": text }),
        };
        let said = [
            ("user", "a"),
            ("assistant", "1"),
            ("user", ""),
            ("assistant", "2"),
            ("assistant", "3"),
            ("user", "b"),
        ];
        let list: Vec<Value> = said.iter().map(in_form).collect();
        let contexts = opened(wire, 60_000).await;
        // The answers come one after the other.
        for end in 1..=2 {
            let taken = synced(&contexts, 0, list.get(..end).unwrap()).await;
            assert_eq!(taken.err().map(|error| error.code), (end == 2).then_some(ErrorCode::NothingToAnswer));
        }
        let joint = synced(&contexts, 2, &list).await.unwrap_err();
        assert_eq!(joint.code, ErrorCode::WholeListNeeded, "{wire:?}");
        let request = synced(&contexts, 0, &list).await.unwrap();
        assert_eq!(sent(&request, &list), list, "{wire:?}");
        let again = synced(&contexts, list.len(), &list).await.unwrap();
        assert_eq!((again.references, again.appended, again.hidden), (request.references, 0, 0), "{wire:?}");
    }
}
