//! What is in the window now: each piece of the newest request with the tool that it is of.

use std::collections::HashMap;

use throughline_audit::call_name;
use throughline_conversation::{Message, RecordBody, Seq, ToolCall};
use throughline_providers::models::ModelTable;
use throughline_stored::{Result, SessionHandle, SessionLog, receipts};
use throughline_text::headline;

use super::explained::explained_pieces;

/// Characters of a name.
const NAME: usize = 100;

/// A piece of the newest request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WindowItem {
    /// What it is about.
    pub(crate) name: String,
    /// The tool; in parentheses what is no tool.
    pub(crate) tool: String,
    pub(crate) record: Option<Seq>,
    pub(crate) turn: Option<u64>,
    pub(crate) tokens: u64,
    /// Dollars of all requests that sent it; `None`: a price is not known.
    pub(crate) dollars: Option<f64>,
}

/// The pieces of the newest request of a log, in their order; none without a request.
///
/// # Errors
/// The request cannot be made again.
pub(crate) fn window_items(
    handle: &SessionHandle,
    log: &SessionLog,
    table: &ModelTable,
) -> Result<Vec<WindowItem>> {
    let Some(newest) = receipts(&log.records).next_back().map(|receipt| receipt.request) else {
        return Ok(Vec::new());
    };
    let messages: HashMap<Seq, &Message> = log
        .records
        .iter()
        .filter_map(|record| match &record.body {
            RecordBody::Message(said) => Some((record.seq, &said.message)),
            _ => None,
        })
        .collect();
    let calls: HashMap<&str, &ToolCall> = messages
        .values()
        .flat_map(|message| message.tool_calls())
        .map(|call| (call.id.as_str(), call))
        .collect();
    let (_, pieces) = explained_pieces(handle, &log.records, newest, table)?;
    let item = |one: super::explained::ExplainedPiece| {
        let piece = one.piece;
        let record = piece.source.records.map(|span| span.first);
        let message = record.and_then(|record| messages.get(&record)).copied();
        let called = message.and_then(|message| match piece.kind {
            "results" => {
                message.tool_results().find_map(|result| calls.get(result.call_id.as_str()).copied())
            }
            _ => message.tool_calls().next(),
        });
        let (name, tool) = match (piece.kind, called) {
            ("tool", _) => (format!("description of {}", piece.name), "(tool descriptions)".to_owned()),
            ("system", _) => (piece.name.clone(), "(system prompt)".to_owned()),
            ("results" | "assistant", Some(call)) => (call_name(call, NAME), call.name.clone()),
            ("assistant", None) => (headline(&piece.text, NAME), "(answers)".to_owned()),
            ("user", _) => (headline(&piece.text, NAME), "(messages of the user)".to_owned()),
            ("summary", _) => (headline(&piece.text, NAME), "(summaries)".to_owned()),
            _ => (headline(&piece.text, NAME), "(notes)".to_owned()),
        };
        WindowItem {
            name,
            tool,
            record,
            turn: piece.source.turn,
            tokens: piece.tokens,
            dollars: one.cost.dollars,
        }
    };
    Ok(pieces.into_iter().map(item).collect())
}
