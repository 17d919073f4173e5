//! What a session, a turn and a day may cost.

mod agent_share;
mod day_cost;
mod expectations;
mod forecast;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_agent::{SpendingError, SpendingGuard};
use throughline_completion::Cost;
use throughline_conversation::{CacheTtl, ModelUse, Origin, Record, Seq, SessionId, Usage};
use throughline_providers::models::ModelTable;
use throughline_settings::{Key, Resolved, keys};
use throughline_text::error_chain;

use crate::error::{Error, Result};
use crate::session_cost::SessionCostSum;
use crate::storage::Storage;
use throughline_connect::{CacheLifetime, model_table};

pub(crate) use day_cost::DayCost;

use agent_share::{AgentShare, AgentSpent};
use expectations::{AssumedReports, Expectations};

/// The limits, each in US dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct CostLimits {
    pub(crate) session: Option<f64>,
    pub(crate) turn: Option<f64>,
    pub(crate) day: Option<f64>,
    /// The limit of the session is that of a sub-agent.
    pub(crate) is_agent: bool,
}

impl CostLimits {
    pub(crate) fn of(settings: &Resolved) -> Self {
        Self {
            session: settings.get(keys::COST),
            turn: settings.get(keys::COST_PER_TURN),
            day: settings.get(keys::COST_PER_DAY),
            is_agent: false,
        }
    }

    fn of_agent(settings: &Resolved) -> Self {
        let own = settings.get(keys::AGENTS_COST);
        let all = Self::of(settings);
        Self { session: own.or(all.session), is_agent: own.is_some(), ..all }
    }

    /// The setting of the session's limit.
    fn session_setting(&self) -> Key<f64> {
        if self.is_agent { keys::AGENTS_COST } else { keys::COST }
    }

    /// The setting of the first limit that is set.
    fn setting(&self) -> Option<Key<f64>> {
        let limits = [
            (self.session, self.session_setting()),
            (self.turn, keys::COST_PER_TURN),
            (self.day, keys::COST_PER_DAY),
        ];
        limits.into_iter().find_map(|(limit, key)| limit.map(|_| key))
    }
}

/// Refuses requests that would pass a limit.
#[derive(Debug)]
pub struct SpendingLimits {
    limits: CostLimits,
    table: ModelTable,
    ttl: CacheTtl,
    storage: Storage,
    spent: Mutex<Spent>,
    /// In the limits of the session that this one works for.
    share: Option<AgentShare>,
}

#[derive(Debug, Default)]
struct Spent {
    session: Cost,
    turn: Cost,
    /// Of sub-agents at work, which the session has not recorded yet.
    agents: BTreeMap<u64, AgentSpent>,
    /// What the request that was allowed last is expected to cost, in US dollars; 0: it is recorded, or it has failed.
    reserved: f64,
    requests: Expectations,
}

impl Spent {
    /// What the records of a session say about its cost so far and its last request. Up to `copied` they are not its own.
    fn of_records(records: Vec<Record>, copied: Seq, table: &ModelTable) -> Self {
        let mut sum = SessionCostSum::behind(copied);
        let mut reports = AssumedReports::default();
        records.into_iter().for_each(|record| sum.add(&reports.complete(record), table));
        Self { session: sum.cost().own, requests: reports.into_requests(), ..Self::default() }
    }
}

impl SpendingLimits {
    /// The guard of a session; `None` if the settings set no limit.
    ///
    /// # Errors
    /// What the session has cost cannot be read, or the limit of a day is set and the log is not in the database.
    pub async fn of(
        settings: &Resolved,
        storage: &Storage,
        session: &SessionId,
    ) -> Result<Option<Arc<Self>>> {
        Self::with(CostLimits::of(settings), settings, storage, session, None).await
    }

    /// The guard of a sub-agent's session, which has a limit of its own. Until the session that it works for has recorded what it
    /// spent, that counts in the limits of that session, `parent`.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub async fn of_agent(
        settings: &Resolved,
        storage: &Storage,
        session: &SessionId,
        parent: Option<&Arc<Self>>,
    ) -> Result<Option<Arc<Self>>> {
        Self::with(CostLimits::of_agent(settings), settings, storage, session, parent).await
    }

    async fn with(
        limits: CostLimits,
        settings: &Resolved,
        storage: &Storage,
        session: &SessionId,
        parent: Option<&Arc<Self>>,
    ) -> Result<Option<Arc<Self>>> {
        if limits.setting().is_none() {
            return Ok(None);
        }
        if limits.day.is_some() && storage.has_ports() {
            let key = keys::COST_PER_DAY.name();
            let why =
                format!("{key} needs the log in Throughline's own database; remove it or the other log");
            return Err(Error::Usage(why));
        }
        let table = model_table().map_err(|error| Error::Usage(error_chain(&error)))?;
        let (records, copied) =
            (storage.usage_records(session, Seq(0)).await?, storage.inherited(session).await?);
        let spent = Spent::of_records(records, copied, &table);
        let storage = storage.clone();
        let ttl = CacheLifetime::paid(settings);
        let share = parent.map(AgentShare::of);
        Ok(Some(Arc::new(Self { limits, table, ttl, storage, spent: Mutex::new(spent), share })))
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if a request of this price would pass a limit. `day`: what all sessions have cost in the last 24 hours.
    fn check(&self, spent: &Spent, day: f64, next: f64) -> Result<(), SpendingError> {
        let agents: f64 = spent.agents.values().map(|agent| at_least(&agent.cost)).sum();
        let open = spent.reserved + spent.agents.values().map(|agent| agent.reserved).sum::<f64>();
        let (turn, session) = (at_least(&spent.turn) + agents, at_least(&spent.session) + agents);
        let spans = [
            ("this turn", keys::COST_PER_TURN, self.limits.turn, turn),
            ("this session", self.limits.session_setting(), self.limits.session, session),
            ("24 hours", keys::COST_PER_DAY, self.limits.day, day),
        ];
        for (span, key, most, spent) in spans {
            if let Some(most) = most
                && spent + open + next > most
            {
                return Err(SpendingError::Limit { span, setting: key.name(), most, spent, open, next });
            }
        }
        Ok(())
    }

    /// Ends the reservation for the request that was allowed last.
    fn release(&self, spent: &mut Spent) {
        let reserved = std::mem::take(&mut spent.reserved);
        if let Some(share) = &self.share {
            share.release(reserved);
        }
    }

    /// What all sessions have cost in the last 24 hours.
    async fn day(&self) -> Result<f64, SpendingError> {
        let day = self.storage.day_cost.dollars(&self.storage, &self.table).await;
        day.map_err(|error| SpendingError::Unreadable {
            setting: keys::COST_PER_DAY.name(),
            why: error_chain(&error),
        })
    }
}

#[async_trait]
impl SpendingGuard for SpendingLimits {
    fn begin_turn(&self) {
        self.release(&mut self.spent());
        self.spent().turn = Cost::default();
    }

    async fn allow(&self, origin: &Origin, predicted: Usage) -> Result<(), SpendingError> {
        let Some(setting) = self.limits.setting() else { return Ok(()) };
        let price = self.table.find(&origin.provider, &origin.model).price().at(self.ttl);
        let day = if self.limits.day.is_some() { self.day().await? } else { 0.0 };
        let mut spent = self.spent();
        // Without an input the question is whether anything is left.
        let next = if predicted.prompt() > 0 { spent.requests.of(origin, predicted) } else { predicted };
        let Some(next_cost) = price.dollars(next) else {
            return Err(SpendingError::UnknownPrice { model: origin.to_string(), setting: setting.name() });
        };
        self.release(&mut spent);
        self.check(&spent, day, next_cost)?;
        let reserved = if predicted.prompt() > 0 { next_cost } else { 0.0 };
        if let Some(share) = &self.share {
            share.reserve(day, next_cost, reserved)?;
        }
        if predicted.prompt() > 0 {
            spent.reserved = reserved;
            spent.requests.ask(origin.clone(), predicted);
        }
        Ok(())
    }

    fn record(&self, used: &ModelUse) {
        let price = self.table.find(&used.origin.provider, &used.origin.model).price().at(self.ttl);
        let mut spent = self.spent();
        self.release(&mut spent);
        let all = spent.requests.take_use(used);
        let mut cost = Cost::default();
        let Spent { session, turn, .. } = &mut *spent;
        [session, turn, &mut cost].into_iter().for_each(|sum| sum.add_side_requests(&all, &price));
        drop(spent);
        match &self.share {
            Some(share) => share.record(&all, &price),
            None => self.storage.day_cost.add(at_least(&cost)),
        }
    }
}

impl Drop for SpendingLimits {
    fn drop(&mut self) {
        self.release(&mut self.spent());
    }
}

/// The sum, or the part of it that is known.
fn at_least(cost: &Cost) -> f64 {
    cost.dollars().at_least().unwrap_or_default()
}

#[cfg(test)]
mod tests;
