//! What each tool of a stored session has cost, also what left the window.

use std::collections::{HashMap, HashSet};

use throughline_completion::Dollars;
use throughline_conversation::{Record, RecordBody, Usage};
use throughline_providers::models::ModelTable;

use super::piece_costs::all_pieces;
use super::prices::Prices;
use super::session_figures::sum_of;
use super::timeline::answer_after;
use super::tool_names::ToolNames;

/// Where what is in no turn is listed.
const SIDE: &str = "(summaries and stopped answers)";

/// What a tool has cost.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolTotal {
    /// In parentheses what is no tool.
    pub(crate) tool: String,
    pub(crate) calls: u64,
    /// Tokens of its calls and results, each once; estimated.
    pub(crate) tokens: u64,
    /// Its share of all requests that sent them, and what writing the calls cost.
    pub(crate) dollars: Dollars,
}

/// The cost of a log by tool, the dearest first.
pub(crate) fn tool_costs(records: &[Record], table: &ModelTable) -> Vec<ToolTotal> {
    let names = ToolNames::of(records);
    let mut tokens: HashMap<&str, u64> = HashMap::new();
    let mut dollars: HashMap<&str, Vec<Option<f64>>> = HashMap::new();
    let mut counted = HashSet::new();
    for piece in all_pieces(records, table) {
        let tool = names.tool(piece.kind, piece.record);
        // A result that was shortened is a piece of its own, and no new text.
        if piece.record.is_none_or(|record| counted.insert(record)) {
            *tokens.entry(tool).or_default() += piece.tokens;
        }
        dollars.entry(tool).or_default().push(piece.cost.dollars);
    }
    let mut prices = Prices::new(table);
    for record in records {
        prices.take(&record.body);
        let (tool, cost) = match &record.body {
            RecordBody::Receipt(receipt) => {
                let Some(used) = receipt.reported else { continue };
                let answer = answer_after(records, receipt.upto).map(|(record, _)| record.seq);
                let written = Usage { output: used.output, searches: used.searches, ..Usage::default() };
                let price = prices.of(&receipt.model).of_prompt(used.prompt());
                (names.tool("assistant", answer), price.dollars(written))
            }
            RecordBody::Spent(used) => {
                let price = prices.of_origin(&used.origin);
                (SIDE, price.dollars_of_sum(used.requests, used.usage).map(|(dollars, _)| dollars))
            }
            _ => continue,
        };
        dollars.entry(tool).or_default().push(cost);
    }
    let calls = names.counts();
    let total = |(tool, dollars): (&str, Vec<Option<f64>>)| ToolTotal {
        tool: tool.to_owned(),
        calls: calls.get(tool).copied().unwrap_or_default(),
        tokens: tokens.get(tool).copied().unwrap_or_default(),
        dollars: sum_of(dollars),
    };
    let mut totals: Vec<ToolTotal> = dollars.into_iter().map(total).collect();
    totals.sort_by(|one, other| {
        let dollars = |total: &ToolTotal| total.dollars.at_least().unwrap_or_default();
        dollars(other)
            .total_cmp(&dollars(one))
            .then(other.tokens.cmp(&one.tokens))
            .then(one.tool.cmp(&other.tool))
    });
    totals
}
