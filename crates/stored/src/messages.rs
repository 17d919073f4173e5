//! The messages of one turn, with what they cost and where their results are stored.

use std::collections::{BTreeMap, BTreeSet};

use throughline_conversation::{ExchangeId, GroupStatus, Record, RecordBody, Seq};
use throughline_groups::{Group, GroupError, GroupList};
use throughline_history::{GroupMarks, HistoryRow, RowKind, history_rows};
use throughline_ledger::refs;
use throughline_resultstore::ResultInfo;

use crate::error::{Attempt as _, Error, Result};
use crate::handle::{SessionHandle, SessionLog};

/// A turn and every part of its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnMessages {
    /// The turn.
    pub group: Group,
    /// The parts of its messages, in order.
    pub parts: Vec<MessagePart>,
}

/// A part of a message, with its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePart {
    /// The part as a row of the history.
    pub row: HistoryRow,
    /// Tokens of the response that it belongs to.
    pub tokens: Option<u64>,
    /// Stored results that it refers to.
    pub stored: Vec<ResultInfo>,
}

impl SessionHandle {
    /// The messages of a turn, hidden ones included.
    ///
    /// # Errors
    /// The session has no such turn, it was permanently deleted, or the storage failed.
    pub async fn messages(&self, turn: ExchangeId) -> Result<TurnMessages> {
        let (mut list, mut own) = (GroupList::default(), Vec::new());
        let view = self.storage.view(&self.session, self.counter.as_ref(), |record| {
            list.add(record);
            if record.exchange == turn && matches!(record.body, RecordBody::Message(_)) {
                own.push(record.clone());
            }
        });
        let view = view.await?;
        let mut groups = list.groups(&view);
        let newest = groups.last().map_or(ExchangeId(0), |group| group.id);
        let Some(at) = groups.iter().position(|group| group.id == turn) else {
            return Err(GroupError::Unknown { asked: turn, newest }.into());
        };
        let group = groups.swap_remove(at);
        if group.status == GroupStatus::Removed {
            return Err(Error::missing(format!("turn {turn} was permanently deleted")));
        }
        let stored = self.storage.results().list(&self.session).await;
        let stored = stored.attempt(|| "could not list the stored results".to_owned())?;
        let parts = parts(own, &group, &stored);
        Ok(TurnMessages { group, parts })
    }

    /// The session's groups, oldest first.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn groups(&self) -> Result<Vec<Group>> {
        let mut list = GroupList::default();
        let view = self.storage.view(&self.session, self.counter.as_ref(), |record| list.add(record)).await?;
        Ok(list.groups(&view))
    }

    /// The messages of every turn that was not deleted, oldest first. References to stored results are not looked up.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn all_messages(&self) -> Result<Vec<TurnMessages>> {
        let log = self.log().await?;
        Ok(log.messages_of(&log.message_groups()))
    }
}

impl SessionLog {
    /// The turns that were not deleted, oldest first.
    #[must_use]
    pub fn message_groups(&self) -> Vec<Group> {
        self.groups().into_iter().filter(|group| group.status != GroupStatus::Removed).collect()
    }

    /// The messages of these turns. References to stored results are not looked up.
    #[must_use]
    pub fn messages_of(&self, groups: &[Group]) -> Vec<TurnMessages> {
        let mut own: BTreeMap<ExchangeId, Vec<Record>> =
            groups.iter().map(|group| (group.id, Vec::new())).collect();
        for record in self.records.iter().filter(|record| matches!(record.body, RecordBody::Message(_))) {
            if let Some(own) = own.get_mut(&record.exchange) {
                own.push(record.clone());
            }
        }
        let messages = |group: &Group| {
            let own = own.remove(&group.id).unwrap_or_default();
            TurnMessages { parts: parts(own, group, &[]), group: group.clone() }
        };
        groups.iter().map(messages).collect()
    }
}

/// The parts of a group's messages.
fn parts(own: Vec<Record>, group: &Group, stored: &[ResultInfo]) -> Vec<MessagePart> {
    let tokens = responses(&own);
    let dropped =
        if group.status == GroupStatus::Dropped { BTreeSet::from([group.id]) } else { BTreeSet::new() };
    let marks = GroupMarks { dropped, undone: BTreeSet::new() };
    let rows = history_rows(own, &marks);
    let part = |row: HistoryRow| {
        let find = |id: &str| stored.iter().find(|one| one.id.as_str() == id).cloned();
        let named: BTreeSet<&str> = refs(&row.content).collect();
        let stored = match row.kind {
            RowKind::ToolResult => named.into_iter().filter_map(find).collect(),
            _ => Vec::new(),
        };
        MessagePart { tokens: tokens.get(&row.seq).copied(), stored, row }
    };
    rows.into_iter().map(part).collect()
}

/// Tokens of the response that each message belongs to: an answer of the model, and the results of its calls.
fn responses(own: &[Record]) -> BTreeMap<Seq, u64> {
    let mut tokens = BTreeMap::new();
    let mut current = None;
    for record in own {
        let RecordBody::Message(message) = &record.body else { continue };
        if let Some(usage) = &message.usage {
            current = Some(usage.prompt().saturating_add(usage.output));
        } else if message.message.tool_results().next().is_none() {
            current = None;
        }
        if let Some(current) = current {
            tokens.insert(record.seq, current);
        }
    }
    tokens
}
