//! Sums over a session's log.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use throughline_agent::request_prices;
use throughline_compaction::{CompactionBalances, balance_phrase};
use throughline_completion::{Cost, Prices};
use throughline_conversation::{Mark, Record, RecordBody, Seq};
use throughline_providers::models::ModelTable;
use throughline_text::{counted, group_thousands};

use crate::cache_totals::CacheTotals;
use crate::session_cost::{SessionCost, SessionCostSum, inherited_usd};
use throughline_connect::{cost_text, dollars_figure};

/// What a session has used so far, by its log.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionTotals {
    /// Requests, usage and price.
    pub cost: Cost,
    /// Those of the session that this one is a copy of. They are not in the cost.
    pub inherited: Cost,
    /// Compactions, undone ones included.
    pub compactions: u64,
    /// Those of them that are undone.
    pub undone_compactions: BTreeSet<Seq>,
    /// Offloaded results.
    pub offloads: u64,
    /// Bytes of the offloaded results.
    pub offloaded_bytes: u64,
    /// What the prompt cache did.
    pub cache: CacheTotals,
    /// What the compactions have saved, and what of the removed was needed again.
    pub balances: CompactionBalances,
}

/// Adds up the [accounts](throughline_continuity::Part::Accounts) of a log record by record.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TotalsSum {
    totals: SessionTotals,
    cost: SessionCostSum,
}

impl TotalsSum {
    /// `copied`: [`Storage::inherited`](crate::Storage::inherited).
    pub(crate) fn behind(copied: Seq) -> Self {
        Self { cost: SessionCostSum::behind(copied), ..Self::default() }
    }

    /// Adds the next record. A request is priced by the model that answered it.
    pub(crate) fn add(&mut self, record: &Record, table: &ModelTable) {
        self.cost.add(record, table);
        self.totals.balances.add(record.seq, &record.body, request_prices(self.prices(&record.body, table)));
        match &record.body {
            RecordBody::Receipt(receipt) => {
                self.totals.cache.add(receipt);
                self.totals.offloads += receipt.offloaded.len() as u64;
                self.totals.offloaded_bytes +=
                    receipt.offloaded.iter().map(|stored| stored.bytes).sum::<u64>();
            }
            RecordBody::Edit(edit) => self.totals.compactions += u64::from(edit.is_compaction()),
            RecordBody::Mark(Mark::Compaction { edit, undone: true }) => {
                self.totals.undone_compactions.insert(*edit);
            }
            RecordBody::Mark(Mark::Compaction { edit, undone: false }) => {
                self.totals.undone_compactions.remove(edit);
            }
            _ => {}
        }
    }

    /// The prices of the model that a receipt is of.
    fn prices(&self, body: &RecordBody, table: &ModelTable) -> Prices {
        match body {
            RecordBody::Receipt(receipt) => table.find(self.cost.provider(), &receipt.model).info.prices,
            _ => Prices::anthropic(),
        }
    }

    pub(crate) fn totals(self) -> SessionTotals {
        let SessionCost { own, inherited } = self.cost.cost();
        SessionTotals { cost: own, inherited, ..self.totals }
    }
}

impl SessionTotals {
    /// Requests, usage and cost, for a program.
    #[must_use]
    pub fn json(&self) -> Value {
        let own = &self.cost;
        json!({
            "requests": own.requests,
            "side_requests": own.side_requests,
            "usage": own.usage,
            "unreported": own.unreported,
            "cache": self.cache.json(),
            "cost_usd": own.dollars().exact().map(dollars_figure),
            "cost_usd_at_least": own.dollars().at_least().map(dollars_figure),
            "inherited_usd": inherited_usd(&self.inherited),
        })
    }

    /// What the compactions have saved and what was needed again, for a program.
    #[must_use]
    pub fn regret_json(&self) -> Value {
        let balances = &self.balances;
        json!({"session": balances.total(), "policies": balances.by_policy(), "compactions": balances.all()})
    }

    /// The same for a person; `None` without a compaction.
    #[must_use]
    pub fn regret_line(&self) -> Option<String> {
        let total = self.balances.total();
        (total.compactions > 0).then(|| balance_phrase(&total))
    }

    /// Requests, compactions and cost, for a person.
    #[must_use]
    pub fn lines(&self) -> [String; 2] {
        let cost = &self.cost;
        let inherited = match self.inherited.all_requests() {
            0 => String::new(),
            _ => format!("; the session that it is a copy of: {}", cost_text(&self.inherited)),
        };
        let side = match cost.side_requests {
            0 => String::new(),
            side => format!(" and {} for summaries or stopped answers", group_thousands(side)),
        };
        let undone = match self.undone_compactions.len() {
            0 => String::new(),
            undone => format!(" ({undone} undone)"),
        };
        [
            format!(
                "{}{side} sent {}, {}% of them read from the cache; {}{undone}, {} offloaded",
                counted(cost.requests, "request"),
                counted(cost.usage.prompt(), "token"),
                cost.cached_percentage().unwrap_or(0),
                counted(self.compactions, "compaction"),
                counted(self.offloads, "result"),
            ),
            format!("cost {}{inherited}", cost_text(cost)),
        ]
    }
}
