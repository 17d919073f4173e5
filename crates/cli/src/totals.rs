//! Sums over a session's log.

use throughline::{Storage, model_table};
use throughline_completion::Cost;
use throughline_conversation::{RecordBody, SessionId};

use crate::cost::cost_of;

/// Totals of a session.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Totals {
    pub(crate) cost: Cost,
    pub(crate) compactions: u64,
    pub(crate) offloads: u64,
    pub(crate) offloaded_bytes: u64,
    /// Calls of `read_result`.
    pub(crate) reads: u64,
}

impl Totals {
    /// Requests, usage and cost, for a program.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "requests": self.cost.requests,
            "side_requests": self.cost.side_requests,
            "usage": self.cost.usage,
            "unreported": self.cost.unreported,
            "cost_usd": self.cost.dollars().exact(),
            "cost_usd_at_least": self.cost.dollars().at_least(),
        })
    }
}

/// Adds up a session's log.
pub(crate) async fn totals(data: &Storage, session: &SessionId) -> anyhow::Result<Totals> {
    let records = data.records(session).await?;
    let cost = cost_of(records.iter().map(|record| &record.body), &model_table()?);
    let mut totals = Totals { cost, ..Totals::default() };
    for record in &records {
        match &record.body {
            RecordBody::Receipt(receipt) => {
                totals.offloads += receipt.offloaded.len() as u64;
                totals.offloaded_bytes += receipt.offloaded.iter().map(|stored| stored.bytes).sum::<u64>();
            }
            RecordBody::Edit(_) => totals.compactions += 1,
            RecordBody::Message(record) => {
                totals.reads +=
                    record.message.tool_calls().filter(|call| call.name == "read_result").count() as u64;
            }
            _ => {}
        }
    }
    Ok(totals)
}
