//! The messages of one turn.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use throughline::{SessionLog, now};
use throughline_conversation::{ExchangeId, GroupStatus, Millis, Record, RecordBody, Seq};
use throughline_groups::{Group, GroupError};
use throughline_history::{GroupMarks, HistoryRow, RowKind, history_rows};
use throughline_ledger::refs;
use throughline_resultstore::{ResultInfo, ResultRepository};
use throughline_text::group_thousands;

use super::list::{figure, shown};
use crate::answer::Answer;
use crate::sessions::age;
use crate::target::CommandTarget;
use crate::terminal::plain;

/// A part of a message, with its figures.
struct MessagePart {
    row: HistoryRow,
    /// Tokens of the response that it belongs to.
    tokens: Option<u64>,
    /// Stored results that it refers to.
    stored: Vec<ResultInfo>,
}

/// Shows every message of a turn.
pub(crate) async fn show(target: &CommandTarget, asked: ExchangeId) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let groups = log.groups();
    let Some(group) = groups.iter().find(|group| group.id == asked) else {
        let newest = groups.last().map_or(ExchangeId(0), |group| group.id);
        return Err(GroupError::Unknown { asked, newest }.into());
    };
    if group.status == GroupStatus::Removed {
        bail!("turn {asked} was permanently deleted");
    }
    let stored = target.handle.storage.store.results().list(&target.handle.session).await;
    let stored = stored.context("could not list the stored results")?;
    let parts = parts(&log, group, &stored);
    let time = now();
    let mut lines = vec![title(target, group)];
    for part in &parts {
        lines.push(String::new());
        lines.push(heading(part, group, time));
        lines.extend(part.stored.iter().map(|stored| {
            let bytes = group_thousands(stored.bytes);
            let id = &stored.id;
            format!(
                "(full result stored, {bytes} bytes; the model reads it with read_result ref_id=\"{id}\")"
            )
        }));
        lines.push(content(&part.row));
    }
    let json = json!({
        "group": group.id,
        "status": group.status.name(),
        "shown": shown(group.shown),
        "tokens": group.tokens,
        "parts": parts.iter().map(|part| object(part, group)).collect::<Vec<Value>>(),
    });
    Ok(Answer { text: plain(&lines.join("\n")), json })
}

fn parts(log: &SessionLog, group: &Group, stored: &[ResultInfo]) -> Vec<MessagePart> {
    let own: Vec<&Record> = log
        .records
        .iter()
        .filter(|record| record.exchange == group.id && matches!(record.body, RecordBody::Message(_)))
        .collect();
    let tokens = responses(&own);
    let dropped =
        if group.status == GroupStatus::Dropped { BTreeSet::from([group.id]) } else { BTreeSet::new() };
    let marks = GroupMarks { dropped, undone: BTreeSet::new() };
    let rows = history_rows(own.into_iter().cloned(), &marks);
    let part = |row: HistoryRow| {
        let find = |id: &str| stored.iter().find(|one| one.id.as_str() == id).cloned();
        let named: BTreeSet<&str> = refs(&row.content).collect();
        let stored = match row.kind {
            RowKind::ToolResult => named.into_iter().filter_map(find).collect(),
            _ => Vec::new(),
        };
        MessagePart { tokens: tokens.get(&row.seq).copied(), stored, row }
    };
    rows.into_iter().map(part).collect()
}

/// Tokens of the response that each message belongs to: an answer of the model, and the results of its calls.
fn responses(own: &[&Record]) -> BTreeMap<Seq, u64> {
    let mut tokens = BTreeMap::new();
    let mut current = None;
    for record in own {
        let RecordBody::Message(said) = &record.body else { continue };
        if let Some(usage) = &said.usage {
            current = Some(usage.prompt().saturating_add(usage.output));
        } else if said.message.tool_results().next().is_none() {
            current = None;
        }
        if let Some(current) = current {
            tokens.insert(record.seq, current);
        }
    }
    tokens
}

fn title(target: &CommandTarget, group: &Group) -> String {
    let text = format!(
        "turn {} of session {} · {} · in view: {} · {} messages · {} calls {}",
        group.id,
        target.handle.session,
        group.status.name(),
        shown(group.shown),
        group.messages,
        group.calls,
        figure(group.tokens),
    );
    text.trim_end().to_owned()
}

fn heading(part: &MessagePart, group: &Group, time: Millis) -> String {
    let row = &part.row;
    let who = match &row.model {
        Some(model) => format!("{} ({model})", row.role.as_str()),
        None => row.role.as_str().to_owned(),
    };
    let tool = row.tool_name.as_deref().unwrap_or_default();
    let call = row.tool_call_id.as_deref().unwrap_or_default();
    let failed = if row.is_error { ", failed" } else { "" };
    let what = match row.kind {
        RowKind::ToolCall => format!("call of {tool}, {call}"),
        RowKind::ToolResult => format!("result of {tool}, {call}{failed}"),
        other => other.as_str().to_owned(),
    };
    let text = format!(
        "── {} · {who} · {what} · {} · {} ago {}",
        row.id,
        status(part, group),
        age(time, row.created_at),
        figure(part.tokens),
    );
    text.trim_end().to_owned()
}

/// The status of a message. The history table has no rows of an undone turn, so the row does not tell.
fn status(part: &MessagePart, group: &Group) -> &'static str {
    match group.status {
        GroupStatus::Undone => "undone",
        _ => part.row.status.as_str(),
    }
}

/// The whole text; arguments of a call pretty-printed.
fn content(row: &HistoryRow) -> String {
    let pretty = || serde_json::to_string_pretty(&serde_json::from_str::<Value>(&row.content).ok()?).ok();
    match row.kind {
        RowKind::ToolCall => pretty().unwrap_or_else(|| row.content.clone()),
        _ => row.content.clone(),
    }
}

fn object(part: &MessagePart, group: &Group) -> Value {
    let row = &part.row;
    json!({
        "id": row.id,
        "record": row.seq,
        "role": row.role.as_str(),
        "kind": row.kind.as_str(),
        "status": status(part, group),
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

fn place(stored: &ResultInfo) -> Value {
    json!({"ref": stored.id, "bytes": stored.bytes, "tool": stored.tool})
}
