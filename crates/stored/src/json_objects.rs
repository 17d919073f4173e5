//! Stored things as JSON objects: what commands print with `--json`, and what the HTTP server answers.

use serde_json::{Value, json};
use throughline_completion::Cost;
use throughline_continuity::SessionSummary;
use throughline_conversation::{GroupStatus, Millis};
use throughline_groups::Group;
use throughline_memory::Memo;
use throughline_resultstore::ResultInfo;

use crate::checkpoints::StoredCheckpoint;
use crate::messages::{MessagePart, TurnMessages};

/// A session, and what it has cost.
#[must_use]
pub fn session_object(session: &SessionSummary, cost: &Cost) -> Value {
    json!({
        "session": session.info.id,
        "title": session.info.title,
        "workspace": session.info.workspace,
        "model": session.info.model,
        "created_ms": session.info.created,
        "last_activity_ms": session.last_activity,
        "records": session.records,
        "exchanges": session.exchanges,
        "requests": session.requests,
        "cost_usd": cost.dollars().exact(),
        "cost_usd_at_least": cost.dollars().at_least(),
    })
}

/// A turn in a list.
#[must_use]
pub fn turn_object(group: &Group) -> Value {
    json!({
        "group": group.id,
        "status": group.status.name(),
        "shown": group.shown.name(),
        "at_ms": group.at,
        "first_record": group.span.first,
        "last_record": group.span.last,
        "messages": group.messages,
        "calls": group.calls,
        "tokens": group.tokens,
        "request": group.request,
    })
}

/// A turn with every part of its messages.
#[must_use]
pub fn turn_messages_object(turn: &TurnMessages) -> Value {
    let TurnMessages { group, parts } = turn;
    json!({
        "group": group.id,
        "status": group.status.name(),
        "shown": group.shown.name(),
        "tokens": group.tokens,
        "parts": parts.iter().map(|part| part_object(part, group)).collect::<Vec<Value>>(),
    })
}

fn part_object(part: &MessagePart, group: &Group) -> Value {
    let row = &part.row;
    json!({
        "id": row.id,
        "record": row.seq,
        "role": row.role.as_str(),
        "kind": row.kind.as_str(),
        "status": part.status(group),
        "tool": row.tool_name,
        "call_id": row.tool_call_id,
        "is_error": row.is_error,
        "model": row.model,
        "tokens": part.tokens,
        "at_ms": row.created_at,
        "stored": part.stored.iter().map(place).collect::<Vec<Value>>(),
        "content": row.content,
    })
}

impl MessagePart {
    /// What became of it. The history table has no rows of an undone turn, so the row alone does not tell.
    #[must_use]
    pub fn status(&self, group: &Group) -> &'static str {
        match group.status {
            GroupStatus::Undone => "undone",
            _ => self.row.status.as_str(),
        }
    }
}

fn place(stored: &ResultInfo) -> Value {
    json!({"ref": stored.id, "bytes": stored.bytes, "tool": stored.tool})
}

/// A checkpoint in a list: its figures, without messages and documents.
#[must_use]
pub fn checkpoint_object(stored: &StoredCheckpoint<'_>) -> Value {
    let StoredCheckpoint { number, record, checkpoint } = stored;
    json!({
        "number": number,
        "record": record.seq,
        "reason": checkpoint.reason,
        "at_ms": record.at,
        "iteration": checkpoint.iteration,
        "input_tokens": checkpoint.input_tokens,
        "output_tokens": checkpoint.output_tokens,
        "hat": checkpoint.hat,
        "last_error": checkpoint.last_error,
        "failed_at": checkpoint.failed_at.map(Millis::rfc3339),
        "handoff": checkpoint.handoff.is_some(),
    })
}

/// A memo.
#[must_use]
pub fn memo_object(memo: &Memo) -> Value {
    json!({
        "memo": memo.id,
        "content": memo.content,
        "tags": memo.tags,
        "workspace": memo.workspace,
        "session": memo.session,
        "group": memo.exchange,
        "created_ms": memo.created,
        "updated_ms": memo.updated,
    })
}
