//! What all sessions have cost in the last 24 hours, as the sessions of a process know it together.

use std::sync::{Mutex, MutexGuard, PoisonError};

use throughline_connect::LogCost;
use throughline_continuity::LogError;
use throughline_conversation::{Millis, Record, Seq};
use throughline_providers::models::ModelTable;

use super::at_least;
use super::expectations::AssumedReports;
use crate::session_id::now;
use crate::storage::Storage;

/// A day, in milliseconds.
const DAY: i64 = 24 * 3_600_000;

/// How long a sum over all sessions is used before it is read again, in milliseconds.
const FRESH: i64 = 30_000;

/// The cost of the last 24 hours, in US dollars. The logs are read once for all sessions of a process.
#[derive(Debug, Default)]
pub(crate) struct DayCost {
    spent: Mutex<DaySpent>,
    /// Locked while the logs are read.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct DaySpent {
    /// Of all logs, and when they were read.
    recorded: Option<(f64, Millis)>,
    /// By the sessions of this process since then.
    since: f64,
    /// By sub-agents at work. Their sessions are not summed: what they cost is recorded by the session that they work for.
    at_work: f64,
}

impl DayCost {
    /// What all sessions have cost.
    ///
    /// # Errors
    /// The logs cannot be read.
    pub(super) async fn dollars(&self, storage: &Storage, table: &ModelTable) -> Result<f64, LogError> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let _one = self.reading.lock().await;
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let (at, before) = (now(), self.spent().since);
        let since = Millis(at.0.saturating_sub(DAY));
        let sessions = storage.store.usage_records(None, Seq(0), since).await?;
        let sum = sessions.into_iter().map(|records| session_dollars(records, table)).sum();
        let mut spent = self.spent();
        spent.recorded = Some((sum, at));
        // What was spent while the logs were read may be in them or not.
        spent.since = (spent.since - before).max(0.0);
        Ok(spent.dollars())
    }

    /// Adds what a session has spent and records.
    pub(super) fn add(&self, dollars: f64) {
        self.spent().since += dollars;
    }

    /// Adds what a sub-agent at work has spent.
    pub(super) fn add_at_work(&self, dollars: f64) {
        self.spent().at_work += dollars;
    }

    /// A sub-agent that has spent this has ended.
    pub(super) fn end_work(&self, dollars: f64) {
        let mut spent = self.spent();
        spent.at_work = (spent.at_work - dollars).max(0.0);
    }

    /// The cost, if the logs were read a short time ago.
    fn known(&self) -> Option<f64> {
        let spent = self.spent();
        let (_, read) = spent.recorded?;
        (now().0.saturating_sub(read.0) < FRESH).then(|| spent.dollars())
    }

    fn spent(&self) -> MutexGuard<'_, DaySpent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the records of one session cost.
fn session_dollars(records: Vec<Record>, table: &ModelTable) -> f64 {
    let (mut reports, mut sum) = (AssumedReports::default(), LogCost::default());
    records.into_iter().for_each(|record| sum.add(&reports.complete(record).body, table));
    at_least(&sum.cost)
}

impl DaySpent {
    fn dollars(&self) -> f64 {
        self.recorded.map_or(0.0, |(sum, _)| sum) + self.since + self.at_work
    }
}
