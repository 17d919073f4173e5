//! A log in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{Record, Seq, SessionId};
use throughline_failpoint::FailPoint;

use crate::log::{LogError, LogPage, MessageLog, Part, Unreadable};

/// Keeps records while one of its clones lives. Every session may be written to; none need be created first.
#[derive(Debug, Clone, Default)]
pub struct InMemoryMessageLog {
    state: Arc<Mutex<State>>,
    failures: FailPoint,
}

#[derive(Debug, Default)]
struct State {
    sessions: BTreeMap<SessionId, Vec<Record>>,
    damaged: BTreeSet<(SessionId, Seq)>,
    /// The place of each session's last write among all writes, from 1.
    written: BTreeMap<SessionId, u64>,
    writes: u64,
}

impl InMemoryMessageLog {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets tests make calls fail.
    #[must_use]
    pub fn failures(&self) -> &FailPoint {
        &self.failures
    }

    /// Makes a record unreadable, as a damaged disk would.
    pub fn damage(&self, session: &SessionId, seq: Seq) {
        self.state().damaged.insert((session.clone(), seq));
    }

    pub(super) fn forget(&self, session: &SessionId) {
        let mut state = self.state();
        state.sessions.remove(session);
        state.written.remove(session);
        state.damaged.retain(|(damaged, _)| damaged != session);
    }

    pub(super) fn with_records<T>(&self, session: &SessionId, look: impl FnOnce(&[Record]) -> T) -> T {
        look(self.state().records(session))
    }

    /// Which write was the last one of a session, counted over all; 0: none was.
    pub(super) fn last_write(&self, session: &SessionId) -> u64 {
        self.state().written.get(session).copied().unwrap_or_default()
    }

    /// Every change is made in one step, so a poisoned lock holds a valid value.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn records(&self, session: &SessionId) -> &[Record] {
        self.sessions.get(session).map_or(&[], Vec::as_slice)
    }

    /// Places are 1, 2, 3, …, so a place is found without a search.
    fn after(&self, session: &SessionId, seq: Seq) -> &[Record] {
        let skip = usize::try_from(seq.0).unwrap_or(usize::MAX);
        self.records(session).get(skip..).unwrap_or(&[])
    }

    fn readable(&self, session: &SessionId, record: &Record) -> Result<Record, LogError> {
        if !self.damaged.is_empty() && self.damaged.contains(&(session.clone(), record.seq)) {
            let why = "it was made unreadable".to_owned();
            return Err(LogError::Damaged { seq: record.seq, why });
        }
        Ok(record.clone())
    }

    /// How many of `records` are there already, or what keeps them from continuing the log.
    fn known(&self, session: &SessionId, records: &[Record]) -> Result<usize, LogError> {
        let mut expected = self.records(session).last().map_or(Seq(1), |record| record.seq.next());
        let first = records.first().map_or(expected, |record| record.seq);
        let conflict = LogError::Conflict { expected, found: first };
        let mut known = 0;
        if first < expected {
            let there = self.after(session, Seq(first.0.saturating_sub(1)));
            known = there.len();
            let same = there.iter().zip(records).all(|(old, new)| old == new);
            if first == Seq(0) || !same || there.len() > records.len() {
                return Err(conflict);
            }
        }
        for record in records.iter().skip(known) {
            if record.seq != expected {
                return Err(LogError::Conflict { expected, found: record.seq });
            }
            expected = expected.next();
        }
        Ok(known)
    }
}

#[async_trait]
impl MessageLog for InMemoryMessageLog {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.failures.check().map_err(LogError::Other)?;
        let mut state = self.state();
        let known = state.known(session, records)?;
        let new = records.iter().skip(known).cloned();
        state.sessions.entry(session.clone()).or_default().extend(new);
        if records.len() > known {
            state.writes += 1;
            let writes = state.writes;
            state.written.insert(session.clone(), writes);
        }
        Ok(())
    }

    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError> {
        self.failures.check().map_err(LogError::Other)?;
        let state = self.state();
        let asked = |record: &&Record| part.has(&record.body);
        let mut page = LogPage::default();
        for record in state.after(session, after).iter().filter(asked) {
            match state.readable(session, record) {
                Ok(record) => page.records.push(record),
                Err(LogError::Damaged { seq, why }) => page.unreadable.push(Unreadable::one(seq, why)),
                Err(error) => return Err(error),
            }
        }
        Ok(page)
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        self.failures.check().map_err(LogError::Other)?;
        Ok(self.state().records(session).last().map_or(Seq(0), |record| record.seq))
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        self.failures.check().map_err(LogError::Other)?;
        let state = self.state();
        let newest = state.records(session).iter().rev().find(|record| record.body.kind() == kind);
        newest.map(|record| state.readable(session, record)).transpose()
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.failures.check().map_err(LogError::Other)?;
        let mut state = self.state();
        let there = state.sessions.entry(session.clone()).or_default();
        let place = |seq: Seq| usize::try_from(seq.0.wrapping_sub(1)).unwrap_or(usize::MAX);
        if let Some(missing) = records.iter().find(|record| there.get(place(record.seq)).is_none()) {
            let expected = there.last().map_or(Seq(0), |record| record.seq);
            return Err(LogError::Conflict { expected, found: missing.seq });
        }
        for record in records {
            if let Some(old) = there.get_mut(place(record.seq)) {
                *old = record.clone();
            }
        }
        Ok(())
    }
}
