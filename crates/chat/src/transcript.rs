//! Programs that take the terminal for a while: the editor for the prompt, and the pager with the whole transcript.

use serde_json::Value;
use throughline_history::{HistoryRow, RowKind, RowRole};
use throughline_resultstore::preview_reference;
use throughline_session::answer_text;
use throughline_stored::{SessionHandle, TurnMessages};
use throughline_terminal::{editor, pager};
use throughline_text::error_chain;
use throughline_tui::{Earlier, Options, ResultExcerpt, Show, expanded};

use super::background::NO_SESSION;
use super::commands::lend;
use super::driver::{Driver, Flow};
use super::restored::INTERRUPTED;
use super::shown_result::shown_result;

impl Driver {
    /// Opens the text of the input in the user's editor.
    pub(super) async fn edit_input(&self, text: &str) -> Flow {
        let screen = &self.setup.screen;
        let terminal = lend(screen).await;
        let edited = editor::edit(text);
        drop(terminal);
        match edited {
            Ok(text) => screen.show(Show::Input(text)),
            Err(error) => screen.problem(format!("{error:#}")),
        }
        Flow::Stay
    }

    /// Shows the screen of the whole session in the pager, with results and thinking whole.
    pub(super) async fn transcript(&self) -> Flow {
        let screen = &self.setup.screen;
        let Some(live) = &self.live else {
            screen.notice(NO_SESSION);
            return Flow::Stay;
        };
        match whole_session(&live.target(&self.setup.data).handle).await {
            Ok(earlier) => {
                let text = expanded(&earlier, &Options::of_environment());
                let terminal = lend(screen).await;
                pager::open(&text);
                drop(terminal);
            }
            Err(error) => screen.problem(error_chain(&error)),
        }
        Flow::Stay
    }
}

/// Everything that was said and done in the turns that were not deleted, oldest first.
async fn whole_session(handle: &SessionHandle) -> throughline_stored::Result<Vec<Earlier>> {
    let mut shown = Vec::new();
    for TurnMessages { group, parts } in handle.all_messages().await? {
        if group.status.is_hidden() {
            shown.push(Earlier::Notice(format!("turn {} is {}:", group.id, group.status.name())));
        }
        let mut rows: Vec<HistoryRow> = parts.into_iter().map(|part| part.row).collect();
        while !rows.is_empty() {
            let row = rows.remove(0);
            let result = (row.kind == RowKind::ToolCall)
                .then(|| rows.iter().position(|other| answers(other, &row)))
                .flatten()
                .map(|place| rows.remove(place));
            shown.extend(earlier(row, result, handle).await);
        }
    }
    Ok(shown)
}

/// Returns true for the result of a call.
fn answers(row: &HistoryRow, call: &HistoryRow) -> bool {
    row.kind == RowKind::ToolResult && row.tool_call_id == call.tool_call_id
}

/// A part of a message as the screen shows it.
async fn earlier(row: HistoryRow, result: Option<HistoryRow>, handle: &SessionHandle) -> Option<Earlier> {
    Some(match (row.kind, row.role) {
        (RowKind::Text, RowRole::User) => Earlier::User(row.content),
        (RowKind::Text, RowRole::Assistant) => {
            let text = answer_text(&row.content);
            (!text.is_empty()).then_some(Earlier::Assistant(text))?
        }
        (RowKind::Thinking, _) => {
            (!row.content.trim().is_empty()).then_some(Earlier::Thinking(row.content))?
        }
        (RowKind::ToolCall, _) => {
            let is_error = result.as_ref().is_none_or(|result| result.is_error);
            let text = result.map_or_else(|| INTERRUPTED.to_owned(), |result| result.content);
            let stored = stored_text(&text, handle).await;
            let bytes = stored.as_ref().map(|text| text.len() as u64);
            let name = row.tool_name.unwrap_or_default();
            Earlier::Tool {
                input: serde_json::from_str(&row.content).unwrap_or(Value::String(row.content)),
                is_error,
                result: ResultExcerpt::whole(shown_result(&name, &stored.unwrap_or(text), is_error)),
                stored: bytes,
                name,
            }
        }
        _ => Earlier::Notice(row.content),
    })
}

/// The stored result that a text is the preview of.
async fn stored_text(preview: &str, handle: &SessionHandle) -> Option<String> {
    let reference = preview_reference(preview)?;
    let stored = handle.storage.results().get(&handle.session, &reference).await.ok()??;
    Some(String::from_utf8_lossy(&stored.content).into_owned())
}
