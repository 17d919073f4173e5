//! The turns of a session in one row each: what the user asked, how long it took, how the window moved and what it cost.

use std::collections::HashMap;

use throughline_completion::Dollars;
use throughline_conversation::{GroupStatus, Seq};
use throughline_groups::Group;

use super::session_figures::sum_of;
use super::timeline::{LostCache, RequestPoint};

/// A turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TurnRow {
    pub(crate) turn: u64,
    /// The start of the user's message, one line.
    pub(crate) request: String,
    pub(crate) status: GroupStatus,
    /// Its first record.
    pub(crate) first: Seq,
    pub(crate) requests: u64,
    pub(crate) calls: u64,
    /// Milliseconds from the user's message to the last answer, without idle gaps; `None`: it has no answer, or the log has no
    /// times.
    pub(crate) took_ms: Option<i64>,
    /// Milliseconds of idle gaps in it; `None`: it has none.
    pub(crate) idle_ms: Option<i64>,
    /// Tokens of its first and its last request.
    pub(crate) tokens: Option<(u64, u64)>,
    /// Tokens that compactions in it took out of requests.
    pub(crate) compacted: Option<u64>,
    /// The dearest cache miss in it.
    pub(crate) missed: Option<LostCache>,
    pub(crate) dollars: Dollars,
}

/// The turns with messages, oldest first.
pub(crate) fn turn_rows(groups: &[Group], points: &[RequestPoint]) -> Vec<TurnRow> {
    let mut by_turn: HashMap<u64, Vec<&RequestPoint>> = HashMap::new();
    for point in points {
        by_turn.entry(point.turn).or_default().push(point);
    }
    let mut row = |group: &Group| {
        let own = by_turn.remove(&group.id.0).unwrap_or_default();
        let tokens = |point: &&RequestPoint| point.window.used.total();
        let last = own.last().map(|point| point.at_ms.0);
        // The gap before its first request is before the turn.
        let idle: i64 = own.iter().skip(1).filter_map(|point| point.idle_ms).sum();
        let took = last.map(|last| last.saturating_sub(group.at.0)).filter(|took| *took > 0);
        let miss = own.iter().filter(|point| point.miss.is_some());
        let miss = miss.max_by(|one, other| {
            let cost = |point: &RequestPoint| point.missed_dollars.unwrap_or_default();
            cost(one).total_cmp(&cost(other))
        });
        TurnRow {
            turn: group.id.0,
            request: group.request.clone(),
            status: group.status,
            first: group.span.first,
            requests: own.len() as u64,
            calls: group.calls,
            took_ms: took.map(|took| took.saturating_sub(idle)).filter(|took| *took > 0),
            idle_ms: took.map(|took| idle.min(took)).filter(|idle| *idle > 0),
            tokens: own.first().map(tokens).zip(own.last().map(tokens)),
            compacted: own.iter().filter_map(|point| point.compacted).reduce(|one, other| one + other),
            missed: miss.and_then(|point| point.lost_cache()),
            dollars: sum_of(own.iter().map(|point| point.dollars)),
        }
    };
    groups.iter().filter(|group| group.messages > 0 || !group.request.is_empty()).map(&mut row).collect()
}
