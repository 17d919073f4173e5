//! The conversation as text, for people.

use std::io::Write;

use throughline_continuity::{Pages, Part, merged};
use throughline_conversation::{Record, Seq, SessionId};
use throughline_history::{GroupMarks, HistoryRow, HistoryRows, RowKind};
use throughline_stored::{ContextEntry, SessionHandle, Storage};
use throughline_text::plain;

/// Writes every message in the order of the log, however the model sees it now, page by page. The restored contexts follow.
pub(super) async fn write(
    data: &Storage,
    session: &SessionId,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<()> {
    let log = data.log();
    let mut pages = Pages::new(log.as_ref(), session, Part::All);
    let marks = GroupMarks::default();
    let mut rows = HistoryRows::new(&marks);
    let mut written = Seq(0);
    writeln!(out, "session {session}")?;
    while let Some(page) = pages.next().await? {
        data.note_lost(&page.unreadable);
        page.records.into_iter().filter(is_message).for_each(|record| rows.add(record));
        // The last page may repeat what an earlier one has named.
        let named = written;
        let lost = merged(page.unreadable).into_iter().filter(|lost| lost.span.last > named);
        let mut lost = lost.peekable();
        for row in rows.take() {
            while let Some(lost) = lost.next_if(|lost| lost.span.first < row.seq) {
                writeln!(out, "\n[{lost}]")?;
                written = lost.span.last;
            }
            writeln!(out, "\n{}\n{}", heading(&row), plain(&row.content))?;
        }
        for lost in lost {
            writeln!(out, "\n[{lost}]")?;
            written = lost.span.last;
        }
    }
    let (contexts, lost) = SessionHandle::new(data.clone(), session.clone()).readable_contexts().await;
    for entry in contexts {
        writeln!(out, "\n{}", context_heading(&entry))?;
        let text = entry.context.map(|context| context.text(""));
        writeln!(out, "{}", plain(text.or(entry.damaged).unwrap_or_default().trim()))?;
    }
    if let Some(why) = lost {
        writeln!(out, "\n{}", plain(&format!("[the contexts are lost: {why}]")))?;
    }
    Ok(())
}

fn is_message(record: &Record) -> bool {
    matches!(record.body, throughline_conversation::RecordBody::Message(_))
}

fn context_heading(entry: &ContextEntry) -> String {
    let ContextEntry { worker_id, source, covers, damaged, .. } = entry;
    let damaged = if damaged.is_some() { ", damaged" } else { "" };
    plain(&format!("── context for {worker_id} · {} · records 1 to {covers}{damaged} ──", source.name()))
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
