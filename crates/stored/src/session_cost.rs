//! What a session has cost, apart from what the one had cost that it is a copy of.

use std::mem;

use serde::{Deserialize, Serialize};
use throughline_completion::Cost;
use throughline_connect::{LogCost, dollars_figure};
use throughline_conversation::{Record, Seq, SessionId};
use throughline_providers::models::ModelTable;

use crate::error::Result;
use crate::storage::Storage;

/// What a session has cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionCost {
    /// Its own requests.
    pub own: Cost,
    /// The requests in its log that the session has made which it is a copy of.
    pub inherited: Cost,
}

/// What was inherited in US dollars, or the part of it that is known; `None`: the session is no copy.
pub(crate) fn inherited_usd(inherited: &Cost) -> Option<f64> {
    inherited.dollars().at_least().filter(|_| inherited.all_requests() > 0).map(dollars_figure)
}

impl Storage {
    /// What a session has cost up to a record of its log.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn session_cost(
        &self,
        session: &SessionId,
        upto: Seq,
        table: &ModelTable,
    ) -> Result<SessionCost> {
        let mut sum = SessionCostSum::behind(self.inherited(session).await?);
        let records = self.usage_records(session, Seq(0)).await?;
        records.iter().take_while(|record| record.seq <= upto).for_each(|record| sum.add(record, table));
        Ok(sum.cost())
    }
}

/// Adds up a log record by record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SessionCostSum {
    sum: LogCost,
    inherited: Cost,
    /// The last record that is not its own.
    copied: Seq,
}

impl SessionCostSum {
    /// `copied`: [`Storage::inherited`](crate::Storage::inherited).
    pub(crate) fn behind(copied: Seq) -> Self {
        Self { copied, ..Self::default() }
    }

    /// Adds the next record.
    pub(crate) fn add(&mut self, record: &Record, table: &ModelTable) {
        self.sum.add(&record.body, table);
        if record.seq <= self.copied {
            self.inherited.add(&mem::take(&mut self.sum.cost));
        }
    }

    /// The provider that answers now.
    pub(crate) fn provider(&self) -> &str {
        self.sum.provider()
    }

    pub(crate) fn cost(&self) -> SessionCost {
        SessionCost { own: self.sum.cost.clone(), inherited: self.inherited.clone() }
    }
}
