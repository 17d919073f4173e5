//! The conversation as text, for people.

use std::collections::BTreeSet;
use std::io::Write;

use throughline::Storage;
use throughline_conversation::{Record, SessionId};
use throughline_history::{GroupMarks, HistoryRow, RowKind, history_rows};

use crate::terminal::plain;

/// Writes every message in the order of the log, however the model sees it now.
pub(super) async fn write(data: &Storage, session: &SessionId, out: &mut dyn Write) -> anyhow::Result<()> {
    let page = data.read(session).await?;
    writeln!(out, "session {session}")?;
    let mut lost = page.unreadable.iter().peekable();
    let marks = GroupMarks { dropped: BTreeSet::new(), undone: BTreeSet::new() };
    for row in history_rows(page.records.into_iter().filter(is_message), &marks) {
        while let Some(lost) = lost.next_if(|lost| lost.span.first < row.seq) {
            writeln!(out, "\n[{lost}]")?;
        }
        writeln!(out, "\n{}\n{}", heading(&row), plain(&row.content))?;
    }
    for lost in lost {
        writeln!(out, "\n[{lost}]")?;
    }
    Ok(())
}

fn is_message(record: &Record) -> bool {
    matches!(record.body, throughline_conversation::RecordBody::Message(_))
}

fn heading(row: &HistoryRow) -> String {
    let tool = row.tool_name.as_deref().unwrap_or("a tool");
    let failed = if row.is_error { ", failed" } else { "" };
    let what = match row.kind {
        RowKind::ToolCall => format!("call of {tool}"),
        RowKind::ToolResult => format!("result of {tool}{failed}"),
        _ => row
            .model
            .as_deref()
            .map_or_else(|| row.role.as_str().to_owned(), |model| format!("model {model}")),
    };
    plain(&format!("── turn {} · {what} ──", row.group))
}
