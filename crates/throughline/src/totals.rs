//! Sums over a session's log.

use serde_json::{Value, json};
use throughline_completion::Cost;
use throughline_conversation::{Record, RecordBody};
use throughline_groups::compactions;
use throughline_providers::models::ModelTable;
use throughline_text::group_thousands;

use crate::cost::{cost_of, cost_text};

/// What a session has used so far, by its log.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct SessionTotals {
    /// Requests, usage and price.
    pub cost: Cost,
    /// Compactions, undone ones included.
    pub compactions: u64,
    /// Offloaded results.
    pub offloads: u64,
    /// Bytes of the offloaded results.
    pub offloaded_bytes: u64,
    /// Calls of `read_result`.
    pub reads: u64,
}

impl SessionTotals {
    /// Adds up the records of a log. Each request is priced by the model that answered it.
    #[must_use]
    pub fn of(records: &[Record], table: &ModelTable) -> Self {
        let cost = cost_of(records.iter().map(|record| &record.body), table);
        let compactions = compactions(records).count() as u64;
        let mut totals = Self { cost, compactions, ..Self::default() };
        for record in records {
            match &record.body {
                RecordBody::Receipt(receipt) => {
                    totals.offloads += receipt.offloaded.len() as u64;
                    totals.offloaded_bytes +=
                        receipt.offloaded.iter().map(|stored| stored.bytes).sum::<u64>();
                }
                RecordBody::Message(record) => {
                    totals.reads +=
                        record.message.tool_calls().filter(|call| call.name == "read_result").count() as u64;
                }
                _ => {}
            }
        }
        totals
    }

    /// Requests, usage and cost, for a program.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "requests": self.cost.requests,
            "side_requests": self.cost.side_requests,
            "usage": self.cost.usage,
            "unreported": self.cost.unreported,
            "cost_usd": self.cost.dollars().exact(),
            "cost_usd_at_least": self.cost.dollars().at_least(),
        })
    }

    /// Requests, compactions and cost, for a person.
    #[must_use]
    pub fn lines(&self) -> [String; 2] {
        let cost = &self.cost;
        let side = match cost.side_requests {
            0 => String::new(),
            side => format!(" and {} for summaries or stopped answers", group_thousands(side)),
        };
        [
            format!(
                "{} requests{side} sent {} tokens, {}% of them read from the cache; {} compactions, {} results offloaded",
                group_thousands(cost.requests),
                group_thousands(cost.usage.prompt()),
                cost.cached_percentage().unwrap_or(0),
                self.compactions,
                self.offloads
            ),
            format!("cost {}", cost_text(cost)),
        ]
    }
}
