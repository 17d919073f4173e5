//! An event of a turn as an object for programs.

use serde_json::{Value, json};
use throughline_agent::Event;
use throughline_text::cut_end;

use crate::agents::sub_agent::SubAgent;

/// Bytes of a tool's output in the object about its end; `bytes` says how many there are.
const OUTPUT: usize = 16 * 1024;

/// An event as an object of the stream; its field `type` says which. That of a sub-agent has a field `agent`. `None`: programs
/// are not shown it.
#[must_use]
pub fn event_object(event: &Event, agent: Option<&SubAgent>) -> Option<Value> {
    let Some(agent) = agent else { return of_session(event) };
    let mut object = of_agent(event, agent).or_else(|| of_session(event))?;
    object.as_object_mut()?.insert("agent".to_owned(), agent.object());
    Some(object)
}

/// The begin and the end of a sub-agent's work.
fn of_agent(event: &Event, agent: &SubAgent) -> Option<Value> {
    Some(match event {
        Event::TurnStarted { model, .. } => json!({"type": "agent_started", "title": agent.title,
            "provider": model.provider, "model": model.model}),
        Event::TurnEnded { stop, error } => json!({"type": "agent_ended", "stop": stop, "error": error}),
        _ => return None,
    })
}

fn of_session(event: &Event) -> Option<Value> {
    Some(match event {
        Event::Accepted { exchange } => json!({"type": "accepted", "exchange": exchange}),
        Event::Window { figures, pressure } => {
            json!({"type": "window", "figures": figures, "pressure": pressure})
        }
        Event::Compacted(receipt) => json!({"type": "compacted", "receipt": receipt}),
        Event::NotCompacted { why } => json!({"type": "not_compacted", "why": why}),
        Event::ToolsChanged { why, active, deferred } => {
            json!({"type": "tools_changed", "why": why, "active": active, "deferred": deferred})
        }
        Event::Notice(text) => json!({"type": "notice", "text": text}),
        Event::Log(text) => json!({"type": "log", "text": text}),
        Event::Note(text) => json!({"type": "note", "text": text}),
        Event::Sent { request, messages, predicted, .. } => {
            json!({"type": "request", "request": request, "messages": messages, "predicted": predicted})
        }
        Event::CacheMissed(miss) => json!({"type": "cache_missed", "warm": miss.warm, "read": miss.read,
            "cause": miss.cause(), "diagnosis": miss.diagnosis}),
        Event::Retrying { cause, wait_ms } => json!({"type": "retrying", "cause": cause, "wait_ms": wait_ms}),
        Event::Switched { from, to, why } => {
            json!({"type": "switched", "from": from, "to": to, "why": why})
        }
        Event::Withdrawn { why } => json!({"type": "withdrawn", "why": why}),
        Event::Text(text) => json!({"type": "text", "text": text}),
        Event::Thinking(text) => json!({"type": "thinking", "text": text}),
        Event::Spent(used) => json!({
            "type": "spent",
            "provider": used.origin.provider,
            "model": used.origin.model,
            "requests": used.requests,
            "usage": used.usage,
            "unreported": used.unreported,
        }),
        Event::Cited(sources) => json!({"type": "cited", "sources": sources}),
        Event::Answered { usage, stop, .. } => json!({"type": "answered", "usage": usage, "stop": stop}),
        Event::ToolStarted { call_id, name, input } => {
            json!({"type": "tool_started", "call_id": call_id, "name": name, "input": input})
        }
        Event::ToolFinished { call_id, name, bytes, is_error, output, offloaded } => json!({
            "type": "tool_finished",
            "call_id": call_id,
            "name": name,
            "bytes": bytes,
            "is_error": is_error,
            "output": cut_end(output, OUTPUT),
            "offloaded": offloaded,
        }),
        Event::Acknowledged { seq } => json!({"type": "acknowledged", "seq": seq}),
        Event::SnapshotSaved { covers } => json!({"type": "snapshot", "covers": covers}),
        Event::Degraded(note) => json!({"type": "degraded", "note": note}),
        _ => return None,
    })
}
