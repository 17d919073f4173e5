//! Lists whose calls have ids that a server uses again, or none: what is handed back has the caller's own.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may fail")]

use serde_json::{Value, json};
use throughline_contexts::{Contexts, Object, Open, Reference, SyncList, SyncedList, WireForm};

/// More than a result may have inline.
fn large() -> String {
    (0..4_000).map(|row| format!("row {row}\n")).collect()
}

fn call(wire: WireForm, id: &str) -> Value {
    match wire {
        WireForm::Anthropic => json!({ "type": "tool_use", "id": id, "name": "dump", "input": {} }),
        WireForm::Gemini if id.is_empty() => json!({ "functionCall": { "name": "dump", "args": {} } }),
        WireForm::Gemini => json!({ "functionCall": { "id": id, "name": "dump", "args": {} } }),
        _ => json!({ "id": id, "type": "function", "function": { "name": "dump", "arguments": "{}" } }),
    }
}

/// A message of the model with these calls, and the results: those of one message with Anthropic and Gemini.
fn step(wire: WireForm, ids: &[&str], text: &str) -> Vec<Value> {
    let calls: Vec<Value> = ids.iter().map(|id| call(wire, id)).collect();
    let result = |id: &&str| match wire {
        WireForm::Anthropic => json!({ "type": "tool_result", "tool_use_id": id, "content": text }),
        WireForm::Gemini if id.is_empty() => {
            json!({ "functionResponse": { "name": "dump", "response": { "output": text } } })
        }
        WireForm::Gemini => {
            json!({ "functionResponse": { "id": id, "name": "dump", "response": { "output": text } } })
        }
        _ => json!({ "role": "tool", "tool_call_id": id, "content": text }),
    };
    let results: Vec<Value> = ids.iter().map(result).collect();
    match wire {
        WireForm::Anthropic => {
            vec![
                json!({ "role": "assistant", "content": calls }),
                json!({ "role": "user", "content": results }),
            ]
        }
        WireForm::Gemini => {
            vec![json!({ "role": "model", "parts": calls }), json!({ "role": "user", "parts": results })]
        }
        _ => std::iter::once(json!({ "role": "assistant", "content": null, "tool_calls": calls }))
            .chain(results)
            .collect(),
    }
}

async fn synced(contexts: &Contexts, known: usize, list: &[Value]) -> SyncedList {
    let messages = list[known..].iter().map(|item| serde_json::from_value(item.clone()).unwrap()).collect();
    contexts.run("list", None, SyncList { known: known as u64, messages, usage: None }).await.unwrap()
}

async fn opened(wire: WireForm) -> Contexts {
    let contexts = Contexts::default();
    let window = Some(200_000);
    contexts
        .open("list", None, Open { model: "test".to_owned(), window, wire, ..Open::default() })
        .await
        .unwrap();
    contexts
}

fn question(wire: WireForm) -> Value {
    match wire {
        WireForm::Gemini => json!({ "role": "user", "parts": [{ "text": "Go." }] }),
        _ => json!({ "role": "user", "content": "Go." }),
    }
}

fn changed(synced: &SyncedList) -> Vec<&Object> {
    let mut found = Vec::new();
    for reference in &synced.references {
        if let Reference::Changed { messages, .. } = reference {
            found.extend(messages);
        }
    }
    found
}

const WIRES: [WireForm; 3] = [WireForm::Anthropic, WireForm::OpenaiChat, WireForm::Gemini];

#[tokio::test]
async fn ids_that_are_used_again_change_no_message() {
    for wire in WIRES {
        let contexts = opened(wire).await;
        let mut list = vec![question(wire)];
        synced(&contexts, 0, &list).await;
        for ids in [&["call_0", "call_1"][..], &["call_0", "call_1"], &["call_0", "call_0"], &["", ""], &[""]]
        {
            let known = list.len();
            list.extend(step(wire, ids, "rows"));
            // The end alone, and the whole list.
            let of_end = synced(&contexts, known, &list).await;
            assert_eq!(
                of_end.references,
                [Reference::Given { from: 0, to: list.len() as u64 }],
                "{wire:?} {ids:?}"
            );
            let of_whole = synced(&contexts, 0, &list).await;
            assert_eq!((of_whole.references, of_whole.appended), (of_end.references, 0), "{wire:?} {ids:?}");
        }
    }
}

#[tokio::test]
async fn a_shortened_result_has_the_id_of_its_call_in_the_list() {
    for wire in WIRES {
        for ids in [["call_0", "call_1"], ["call_0", "call_0"], ["", ""]] {
            let contexts = opened(wire).await;
            let mut list = vec![question(wire)];
            list.extend(step(wire, &ids, "rows"));
            list.extend(step(wire, &ids, &large()));
            let synced = synced(&contexts, 0, &list).await;
            let found = changed(&synced);
            let found = json!(found).to_string();
            assert!(found.contains("ref_id"), "{wire:?}: {found}");
            for id in ids {
                let with_id = format!(r#"id":"{id}""#);
                let has_none = wire == WireForm::Gemini && id.is_empty();
                assert_eq!(found.contains(&with_id), !has_none, "{wire:?} {ids:?}: {found}");
            }
            assert!(!found.contains("call-") && !found.contains("call_0-"), "{wire:?}: {found}");
        }
    }
}

#[tokio::test]
async fn a_shortened_result_of_gemini_names_its_tool() {
    for id in ["call_0", ""] {
        let contexts = opened(WireForm::Gemini).await;
        let mut list = vec![question(WireForm::Gemini)];
        list.extend(step(WireForm::Gemini, &[id], &large()));
        let synced = synced(&contexts, 0, &list).await;
        let [result] = changed(&synced)[..] else { panic!("{synced:?}") };
        assert_eq!(result["parts"][0]["functionResponse"]["name"], "dump");
        assert_eq!(
            result["parts"][0]["functionResponse"].get("id"),
            (!id.is_empty()).then(|| json!(id)).as_ref()
        );
    }
}

#[tokio::test]
async fn results_in_another_order_than_their_calls_stay_with_them() {
    let wire = WireForm::OpenaiChat;
    let contexts = opened(wire).await;
    let mut list = vec![question(wire)];
    for _ in 0..2 {
        let [calls, first, second] = &step(wire, &["call_0", "call_1"], &large())[..] else { panic!() };
        list.extend([calls.clone(), second.clone(), first.clone()]);
    }
    let synced = synced(&contexts, 0, &list).await;
    let ids: Vec<_> = changed(&synced).iter().map(|item| item["tool_call_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["call_1", "call_0", "call_1", "call_0"]);
}

#[tokio::test]
async fn an_output_of_a_tool_of_the_api_is_answered_and_stays_of_its_kind() {
    let asked =
        |kind: &str| json!({ "type": kind, "call_id": "c1", "name": "dump", "input": "", "action": {} });
    let custom = json!({ "type": "custom_tool_call_output", "call_id": "c1", "output": large() });
    let output = json!([{ "stdout": large(), "stderr": "", "outcome": { "type": "exit", "exit_code": 0 } }]);
    let shell = json!({ "type": "shell_call_output", "call_id": "c1", "output": output });
    let wire = WireForm::OpenaiResponses;

    let contexts = opened(wire).await;
    let shortened = synced(&contexts, 0, &[question(wire), asked("custom_tool_call"), custom]).await;
    let [item] = changed(&shortened)[..] else { panic!("{shortened:?}") };
    assert_eq!((&item["type"], &item["call_id"]), (&json!("custom_tool_call_output"), &json!("c1")));
    assert!(item["output"].as_str().unwrap().contains("ref_id") && item.len() == 3, "{item:?}");

    let contexts = opened(wire).await;
    let whole = synced(&contexts, 0, &[question(wire), asked("shell_call"), shell]).await;
    assert_eq!(whole.references, [Reference::Given { from: 0, to: 3 }]);
}

#[tokio::test]
async fn a_message_without_content_stays_where_it_is() {
    let wire = WireForm::Anthropic;
    let contexts = opened(wire).await;
    let empty = json!({ "role": "assistant", "content": [] });
    let mut list = vec![question(wire), empty.clone()];
    assert_eq!(synced(&contexts, 0, &list).await.references, [Reference::Given { from: 0, to: 2 }]);
    list.extend([json!({ "role": "user", "content": "Well?" }), json!({ "role": "user", "content": "" })]);
    assert_eq!(synced(&contexts, 0, &list).await.references, [Reference::Given { from: 0, to: 4 }]);
    list.extend(step(wire, &["a"], &large()));
    list.extend([empty, question(wire)]);
    let kinds: Vec<(u64, u64)> = synced(&contexts, 0, &list)
        .await
        .references
        .iter()
        .map(|one| match one {
            Reference::Given { from, to } | Reference::Changed { from, to, .. } => (*from, *to),
            Reference::Made { .. } => panic!("{one:?}"),
        })
        .collect();
    assert_eq!(kinds, [(0, 5), (5, 6), (6, 8)]);
}

#[tokio::test]
async fn a_text_in_the_message_of_a_shortened_result_stays_in_it() {
    for wire in [WireForm::Anthropic, WireForm::Gemini] {
        let contexts = opened(wire).await;
        let mut list = vec![question(wire)];
        list.extend(step(wire, &["c1"], &large()));
        let (field, text) = match wire {
            WireForm::Gemini => ("parts", json!({ "text": "Stop after this." })),
            _ => ("content", json!({ "type": "text", "text": "Stop after this." })),
        };
        list[2][field].as_array_mut().unwrap().push(text);
        let synced = synced(&contexts, 0, &list).await;
        let [Reference::Given { from: 0, to: 2 }, Reference::Changed { from: 2, to: 3, messages, texts }] =
            &synced.references[..]
        else {
            panic!("{wire:?}: {:?}", synced.references)
        };
        assert_eq!((messages.len(), texts.len()), (1, 2), "{wire:?}");
        let parts = messages[0][field].as_array().unwrap();
        assert_eq!(parts.len(), 2, "{wire:?}");
        assert_eq!(parts[1]["text"], "Stop after this.", "{wire:?}");
        assert!(parts[0].to_string().len() < large().len() / 2, "{wire:?}");
    }
}
