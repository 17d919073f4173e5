//! What is in the window now: each piece of the next request with the tool that it is of.

use throughline_audit::call_name;
use throughline_conversation::{Seq, WindowFigures};
use throughline_providers::models::ModelTable;
use throughline_stored::{SessionHandle, SessionLog, receipts};
use throughline_text::{error_chain, headline};

use super::piece_costs::piece_costs;
use super::pieces::next_pieces;
use super::tool_names::ToolNames;

/// Characters of a name.
const NAME: usize = 100;

/// A piece of the next request.
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

/// The window of the next request, as `throughline context` estimates it. `None`: no request was sent yet, or the session cannot
/// be opened to measure it.
pub(crate) async fn next_window(handle: &SessionHandle) -> Option<WindowFigures> {
    match handle.next_window().await {
        Ok(window) => Some(window),
        Err(error) => {
            tracing::debug!(session = %handle.session, error = error_chain(&error), "no next window");
            None
        }
    }
}

/// The pieces of the next request of a log, in their order; none before the first request. `window` is that of
/// [`next_window`]: the pieces together have its tokens.
pub(crate) fn window_items(
    handle: &SessionHandle,
    log: &SessionLog,
    window: Option<WindowFigures>,
    table: &ModelTable,
) -> Vec<WindowItem> {
    let Some(newest) = receipts(&log.records).next_back().map(|receipt| receipt.request) else {
        return Vec::new();
    };
    let pieces = next_pieces(handle, log);
    let costs = piece_costs(&log.records, newest + 1, &pieces, table);
    let counted: u64 = pieces.iter().map(|piece| piece.tokens).sum();
    let scale = window.map_or(1.0, |window| window.used.total() as f64 / counted.max(1) as f64);
    let tools = ToolNames::of(&log.records);
    let items = pieces.into_iter().zip(costs).map(|(piece, cost)| {
        let record = piece.source.records.map(|span| span.first);
        let call = tools.call(piece.kind, record);
        let name = match (piece.kind, call) {
            ("tool", _) => format!("description of {}", piece.name),
            ("system", _) => piece.name.clone(),
            (_, Some(call)) => call_name(call, NAME),
            _ => headline(&piece.text, NAME),
        };
        WindowItem {
            name,
            tool: tools.tool(piece.kind, record).to_owned(),
            record,
            turn: piece.source.turn,
            tokens: (piece.tokens as f64 * scale).round() as u64,
            dollars: cost.dollars,
        }
    });
    items.collect()
}
