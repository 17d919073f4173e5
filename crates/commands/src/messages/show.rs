//! The messages of one turn.

use serde_json::{Value, json};
use throughline_conversation::{ExchangeId, Millis};
use throughline_groups::Group;
use throughline_history::{HistoryRow, RowKind};
use throughline_stored::{MessagePart, TurnMessages, now, turn_messages_object};
use throughline_text::{counted, group_thousands, plain};

use super::list::figure;
use crate::age::age;
use crate::answer::Answer;
use crate::target::CommandTarget;

/// Shows every message of a turn.
pub(crate) async fn show(target: &CommandTarget, asked: ExchangeId) -> anyhow::Result<Answer> {
    let turn = target.handle.messages(asked).await?;
    let TurnMessages { group, parts } = &turn;
    let time = now();
    let mut lines = vec![title(target, group)];
    for part in parts {
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
    Ok(Answer { text: plain(&lines.join("\n")), json: json!(turn_messages_object(&turn)) })
}

fn title(target: &CommandTarget, group: &Group) -> String {
    let text = format!(
        "turn {} of session {} · {} · in view: {} · {} · {} {}",
        group.id,
        target.handle.session,
        group.status.name(),
        group.shown.name(),
        counted(group.messages, "message"),
        counted(group.calls, "call"),
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
        part.status(group),
        age(time, row.created_at),
        figure(part.tokens),
    );
    text.trim_end().to_owned()
}

/// The whole text; arguments of a call pretty-printed.
fn content(row: &HistoryRow) -> String {
    let pretty = || serde_json::to_string_pretty(&serde_json::from_str::<Value>(&row.content).ok()?).ok();
    match row.kind {
        RowKind::ToolCall => pretty().unwrap_or_else(|| row.content.clone()),
        _ => row.content.clone(),
    }
}
