//! A session of sixty steps, the same through every door.

use serde_json::{Value, json};

use crate::door::Door;

pub(crate) const STEPS: usize = 60;

/// How often the end of a list is handed over.
const LISTS: usize = 8;

/// Bodies and outputs that a run compares.
pub(crate) const COMPARED: usize = STEPS + 1 + LISTS + 1;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Wire {
    Anthropic,
    Chat,
}

pub(crate) fn opening(wire: Wire) -> Value {
    let tool = json!({ "name": "dump", "description": "Dumps rows.", "input_schema": { "type": "object" } });
    let wire = match wire {
        Wire::Anthropic => "anthropic",
        Wire::Chat => "openai_chat",
    };
    json!({
        "model": "test", "window": 24_000, "max_output": 2_000, "wire": wire, "system": "You are careful.", "tools": [tool],
    })
}

fn answer(wire: Wire, step: usize) -> Value {
    let id = format!("c{step}");
    match wire {
        Wire::Anthropic => json!({
            "content": [{ "type": "tool_use", "id": id, "name": "dump", "input": { "of": step } }],
            "stop_reason": "tool_use",
            "usage": { "input_tokens": 900, "output_tokens": 40 },
        }),
        Wire::Chat => {
            let function = json!({ "name": "dump", "arguments": json!({ "of": step }).to_string() });
            let call = json!({ "id": id, "type": "function", "function": function });
            let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
            json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] })
        }
    }
}

/// Every tenth result is so large that it is stored.
fn rows(step: usize) -> String {
    let rows = if step % 10 == 9 { 900 } else { 50 };
    (0..rows).map(|row| format!("row {row} of {step}: name_{} is {}\n", row * 7 + step, row * step)).collect()
}

/// A request, its answer and the results. Returns the body.
pub(crate) fn step(door: &mut dyn Door, wire: Wire, step: usize) -> String {
    let next = door.call("next_request", "mine", json!({})).unwrap();
    let input = json!({ "request": next["id"], "body": answer(wire, step) });
    let followed = door.call("answer", "mine", input).unwrap();
    assert_eq!(followed["then"], "calls", "{followed}");
    let result = json!({ "call": format!("c{step}"), "text": rows(step) });
    door.call("results", "mine", json!({ "results": [result] })).unwrap();
    next["body"].to_string()
}

/// The bodies of the whole session, closed and opened again in its middle, and what requests of a list are made of.
pub(crate) fn run(door: &mut dyn Door, wire: Wire) -> Vec<String> {
    door.call("open", "mine", opening(wire)).unwrap();
    door.call("user", "mine", json!({ "text": "Dump everything." })).unwrap();
    let mut bodies: Vec<String> = (0..STEPS / 2).map(|number| step(door, wire, number)).collect();
    door.call("close", "mine", json!({})).unwrap();
    let opened = door.call("open", "mine", opening(wire)).unwrap();
    assert_eq!(opened["resumed"], true);
    bodies.extend((STEPS / 2..STEPS).map(|number| step(door, wire, number)));
    let next = door.call("next_request", "mine", json!({})).unwrap();
    bodies.push(next["body"].to_string());
    let read = json!({ "name": "query_db", "input": { "sql": "select count(*) from messages" } });
    let counted = door.call("call", "mine", read).unwrap();
    assert_eq!(counted["is_error"], false, "{counted}");
    bodies.extend(lists(door, wire));
    bodies
}

/// What the next requests of a list are made of that a framework hands over: whole, then its end, then whole again.
fn lists(door: &mut dyn Door, wire: Wire) -> Vec<String> {
    door.call("open", "list", opening(wire)).unwrap();
    let mut list = vec![json!({ "role": "user", "content": "Dump everything." })];
    let mut synced = Vec::new();
    let mut known = 0;
    for number in 0..LISTS * 5 {
        list.extend(listed(wire, number));
        if number % 5 == 4 {
            let input = json!({ "known": known, "messages": list[known..] });
            synced.push(door.call("sync", "list", input).unwrap().to_string());
            known = list.len();
        }
    }
    synced.push(door.call("sync", "list", json!({ "messages": list })).unwrap().to_string());
    synced
}

/// A step in the form of the API: a call and its result.
fn listed(wire: Wire, step: usize) -> [Value; 2] {
    let (answer, id) = (answer(wire, step), format!("c{step}"));
    match wire {
        Wire::Anthropic => {
            let result = json!({ "type": "tool_result", "tool_use_id": id, "content": rows(step) });
            [
                json!({ "role": "assistant", "content": answer["content"] }),
                json!({ "role": "user", "content": [result] }),
            ]
        }
        Wire::Chat => [
            answer["choices"][0]["message"].clone(),
            json!({ "role": "tool", "tool_call_id": id, "content": rows(step) }),
        ],
    }
}
