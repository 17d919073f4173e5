//! Stored things as JSON objects: what commands print with `--json`, and what the HTTP server answers.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use throughline_completion::Dollars;
use throughline_connect::dollars_figure;
use throughline_continuity::SessionSummary;
use throughline_conversation::{GroupStatus, Millis, SessionId};
use throughline_groups::Group;
use throughline_memory::Memo;
use throughline_resultstore::ResultInfo;

use crate::checkpoints::StoredCheckpoint;
use crate::messages::{MessagePart, TurnMessages};
use crate::session_cost::{SessionCost, inherited_usd};

/// A session, and what it has cost.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Session"))]
pub struct SessionObject<'a> {
    session: &'a str,
    title: &'a str,
    workspace: &'a str,
    model: &'a str,
    /// The user that made it by a server; null: it was made without a user's token.
    owner: Option<&'a str>,
    /// The session that it works for as a sub-agent; `null`: it is a user's own.
    parent: Option<&'a str>,
    created_ms: i64,
    last_activity_ms: i64,
    records: u64,
    exchanges: u64,
    requests: u64,
    /// Null if a price is not known, or if the session has turns and none of their requests: those of an import.
    cost_usd: Option<f64>,
    /// What is known of the cost, if a price is not known.
    cost_usd_at_least: Option<f64>,
    /// What the session had cost that this one is a copy of, or the known part of it; null if it is no copy. It is not in the cost.
    inherited_usd: Option<f64>,
}

/// The object of a session with its owner, if it has one.
#[must_use]
pub fn session_object<'a>(
    session: &'a SessionSummary,
    cost: &SessionCost,
    owner: Option<&'a String>,
) -> SessionObject<'a> {
    let own = &cost.own;
    let is_known = own.all_requests() > 0 || session.exchanges == 0;
    SessionObject {
        session: session.info.id.as_str(),
        title: &session.info.title,
        workspace: &session.info.workspace,
        model: &session.info.model,
        owner: owner.map(String::as_str),
        parent: session.parent.as_ref().map(SessionId::as_str),
        created_ms: session.info.created.0,
        last_activity_ms: session.last_activity.0,
        records: session.records,
        exchanges: session.exchanges,
        requests: session.requests,
        cost_usd: own.dollars().exact().filter(|_| is_known).map(dollars_figure),
        cost_usd_at_least: own.dollars().at_least().filter(|_| is_known).map(dollars_figure),
        inherited_usd: inherited_usd(&cost.inherited),
    }
}

impl SessionObject<'_> {
    /// The same with the requests and the cost that the transcript of another agent states.
    #[must_use]
    pub fn with_figures(self, requests: u64, cost: Dollars) -> Self {
        let (cost_usd, cost_usd_at_least) =
            (cost.exact().map(dollars_figure), cost.at_least().map(dollars_figure));
        Self { requests, cost_usd, cost_usd_at_least, ..self }
    }
}

/// A turn in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Group"))]
pub struct TurnObject<'a> {
    group: u64,
    status: &'a str,
    /// How the model sees it.
    shown: &'a str,
    at_ms: i64,
    first_record: u64,
    last_record: u64,
    messages: u64,
    calls: u64,
    /// Tokens of the session when its last answer came.
    tokens: Option<u64>,
    /// Start of the user's first message.
    request: &'a str,
}

/// The object of a turn in a list.
#[must_use]
pub fn turn_object(group: &Group) -> TurnObject<'_> {
    TurnObject {
        group: group.id.0,
        status: group.status.name(),
        shown: group.shown.name(),
        at_ms: group.at.0,
        first_record: group.span.first.0,
        last_record: group.span.last.0,
        messages: group.messages,
        calls: group.calls,
        tokens: group.tokens,
        request: &group.request,
    }
}

/// A turn with every part of its messages.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Turn"))]
pub struct TurnMessagesObject<'a> {
    group: u64,
    status: &'a str,
    /// How the model sees it.
    shown: &'a str,
    tokens: Option<u64>,
    parts: Vec<PartObject<'a>>,
}

/// A part of a message.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TurnPart"))]
struct PartObject<'a> {
    id: i64,
    record: u64,
    role: &'a str,
    kind: &'a str,
    status: &'a str,
    /// The tool of a call or a result.
    tool: Option<&'a str>,
    call_id: Option<&'a str>,
    /// It is the result of a tool that failed.
    is_error: bool,
    model: Option<&'a str>,
    tokens: Option<u64>,
    at_ms: i64,
    /// The stored results that it names.
    stored: Vec<StoredObject<'a>>,
    content: &'a str,
}

/// A stored result.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "StoredResult"))]
struct StoredObject<'a> {
    #[serde(rename = "ref")]
    id: &'a str,
    bytes: u64,
    tool: &'a str,
}

/// The object of a turn with every part of its messages.
#[must_use]
pub fn turn_messages_object(turn: &TurnMessages) -> TurnMessagesObject<'_> {
    let TurnMessages { group, parts } = turn;
    TurnMessagesObject {
        group: group.id.0,
        status: group.status.name(),
        shown: group.shown.name(),
        tokens: group.tokens,
        parts: parts.iter().map(|part| part_object(part, group)).collect(),
    }
}

fn part_object<'a>(part: &'a MessagePart, group: &Group) -> PartObject<'a> {
    let row = &part.row;
    PartObject {
        id: row.id,
        record: row.seq.0,
        role: row.role.as_str(),
        kind: row.kind.as_str(),
        status: part.status(group),
        tool: row.tool_name.as_deref(),
        call_id: row.tool_call_id.as_deref(),
        is_error: row.is_error,
        model: row.model.as_deref(),
        tokens: part.tokens,
        at_ms: row.created_at.0,
        stored: part.stored.iter().map(stored_object).collect(),
        content: &row.content,
    }
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

fn stored_object(stored: &ResultInfo) -> StoredObject<'_> {
    StoredObject { id: stored.id.as_str(), bytes: stored.bytes, tool: &stored.tool }
}

/// A checkpoint in a list: its figures, without messages and documents.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Checkpoint"))]
pub struct CheckpointObject<'a> {
    number: u64,
    record: u64,
    reason: Value,
    at_ms: i64,
    /// Answered requests.
    iteration: u64,
    input_tokens: u64,
    output_tokens: u64,
    hat: &'a str,
    last_error: Option<&'a str>,
    /// When it failed: RFC 3339.
    failed_at: Option<String>,
    /// It has a handoff.
    handoff: bool,
}

/// The object of a checkpoint in a list.
#[must_use]
pub fn checkpoint_object<'a>(stored: &StoredCheckpoint<'a>) -> CheckpointObject<'a> {
    let StoredCheckpoint { number, record, checkpoint } = stored;
    CheckpointObject {
        number: *number,
        record: record.seq.0,
        reason: serde_json::json!(checkpoint.reason),
        at_ms: record.at.0,
        iteration: checkpoint.iteration,
        input_tokens: checkpoint.input_tokens,
        output_tokens: checkpoint.output_tokens,
        hat: &checkpoint.hat,
        last_error: checkpoint.last_error.as_deref(),
        failed_at: checkpoint.failed_at.map(Millis::rfc3339),
        handoff: checkpoint.handoff.is_some(),
    }
}

/// A memo.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Memo"))]
pub struct MemoObject<'a> {
    memo: &'a str,
    content: &'a str,
    tags: &'a [String],
    /// The folder that it is about; null: all.
    workspace: Option<&'a str>,
    session: Option<&'a str>,
    /// The turn that it was made in.
    group: Option<u64>,
    created_ms: i64,
    updated_ms: i64,
}

/// The object of a memo.
#[must_use]
pub fn memo_object(memo: &Memo) -> MemoObject<'_> {
    MemoObject {
        memo: memo.id.as_str(),
        content: &memo.content,
        tags: &memo.tags,
        workspace: memo.workspace.as_deref(),
        session: memo.session.as_ref().map(SessionId::as_str),
        group: memo.exchange.map(|exchange| exchange.0),
        created_ms: memo.created.0,
        updated_ms: memo.updated.0,
    }
}
