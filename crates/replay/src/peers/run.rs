//! Runs every peer over one recorded session.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use throughline_completion::PrefixUse;
use throughline_conversation::TokenCounter;
use throughline_ledger::Shown;

use super::history::{PeerHistory, RequestPoint};
use super::room::Room;
use super::summary::{SUMMARY_TOKENS, SummaryCall};
use super::view::{PeerMessage, PeerView};
use super::{clairvoyant, claude, clear_tool_uses, codex, opencode, openhands};
use crate::bill::{BilledRequest, SummaryUse};
use crate::clock::ReplayClock;
use crate::factor::TokenScale;
use crate::figures::Figures;
use crate::model::{FullHistory, scaled, scaled_use};
use crate::recall::{Recall, SessionNeeds};
use crate::report::PriceReport;
use crate::session::RecordedSession;
use crate::tool::recorded_tools;

/// How peers are run: the same figures as those of the engine.
#[derive(Debug, Clone)]
pub struct PeerOptions {
    /// Window of the model.
    pub window: u64,
    /// Whose tokens the window is in.
    pub scale: TokenScale,
    /// Tokens reserved for output.
    pub max_output: u64,
    /// Tokens of system prompt and tool schemas, if the recording has less.
    pub overhead: u64,
    /// Counts tokens.
    pub counter: Arc<dyn TokenCounter>,
    /// Whether the recorded times expire prompt caches.
    pub clock: bool,
}

/// The outcome of one peer over one session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PeerReport {
    /// Name of the peer.
    pub peer: &'static str,
    /// The recording's own name.
    pub session: String,
    /// Where it was read from.
    pub file: PathBuf,
    /// Requests.
    pub requests: u64,
    /// Mean size of a request.
    pub mean_request_tokens: u64,
    /// Requests that the peer's own policy left too large: the oldest messages were dropped.
    pub dropped: u64,
    /// What it costs, and what of the answers' needs had left.
    #[serde(flatten)]
    pub prices: PriceReport,
}

/// Shrinks a view before a request, if the peer's rule says so.
type Shrink = fn(&mut PeerView, &Room, &dyn TokenCounter) -> Option<SummaryCall>;

const PEERS: [(&str, Shrink); 5] = [
    ("claude", claude::shrink),
    ("codex", codex::shrink),
    ("opencode", opencode::shrink),
    ("openhands", openhands::shrink),
    ("clear_tool_uses", clear_tool_uses::shrink),
];

/// The name of the bound: cut times chosen with knowledge of the future.
pub const CLAIRVOYANT: &str = "clairvoyant";

/// Runs a session under every peer, and under cut times that are chosen with knowledge of the future.
#[must_use]
pub fn replay_peers(session: &RecordedSession, options: &PeerOptions) -> Vec<PeerReport> {
    replay_peers_needing(session, &SessionNeeds::of(session), options)
}

/// The same, where it is known what the answers use.
#[must_use]
pub fn replay_peers_needing(
    session: &RecordedSession,
    needs: &SessionNeeds,
    options: &PeerOptions,
) -> Vec<PeerReport> {
    let course = Course::of(session, needs, options);
    let report = |peer, figures: &Figures, dropped| PeerReport {
        peer,
        session: session.id.clone(),
        file: session.file.clone(),
        requests: figures.costs.requests,
        mean_request_tokens: figures.costs.mean(),
        dropped,
        prices: PriceReport::of(figures),
    };
    let mut reports: Vec<PeerReport> = PEERS
        .iter()
        .map(|(name, shrink)| {
            let (figures, dropped) = course.run(*shrink);
            report(*name, &figures, dropped)
        })
        .collect();
    reports.push(report(CLAIRVOYANT, &clairvoyant::figures(&course), 0));
    reports
}

/// A session as all peers meet it.
pub(super) struct Course<'a> {
    pub(super) history: PeerHistory,
    pub(super) recall: Arc<Recall>,
    pub(super) room: Room,
    pub(super) factor: f64,
    pub(super) full: FullHistory,
    pub(super) counter: &'a dyn TokenCounter,
    system: Option<&'a str>,
}

impl<'a> Course<'a> {
    pub(super) fn of(session: &'a RecordedSession, needs: &SessionNeeds, options: &'a PeerOptions) -> Self {
        let counter = options.counter.as_ref();
        let factor = options.scale.factor(session, counter);
        let schemas = recorded_tools(session, &Arc::new(ReplayClock::new(false)));
        let tools: u64 =
            schemas.iter().map(|tool| counter.tool(&throughline_tools::Tool::definition(tool))).sum();
        let system = session.system.as_deref().map_or(0, |system| counter.text(system));
        let fixed = options.overhead.max(tools + system);
        Self {
            history: PeerHistory::of(session, counter, options.clock),
            recall: Arc::clone(&needs.0),
            room: Room::new(options.window, options.max_output, fixed, factor),
            factor,
            full: FullHistory::of(session, counter),
            counter,
            system: session.system.as_deref(),
        }
    }

    /// Runs one peer. Returns its figures, and the requests from which messages had to be dropped.
    fn run(&self, shrink: Shrink) -> (Figures, u64) {
        let before = |new: &[PeerMessage], view: &mut PeerView, sent: &[PeerMessage]| {
            view.messages.extend(new.iter().cloned());
            let same = view.common(sent);
            let cached: u64 = view.messages.iter().take(same).map(|message| message.tokens).sum();
            let call = shrink(view, &self.room, self.counter);
            Ok::<_, Infallible>(call.map(|call| self.summary_use(&call, cached, !sent.is_empty())))
        };
        let Ok(run) = self.each_request(before, &mut |_| ());
        run
    }

    /// Bills every request of a policy. `before` makes its view of the new messages, given what the request before has
    /// sent, and returns the requests for summaries that it made; `seen` gets what is sent. Returns the figures, and the
    /// requests from which messages had to be dropped.
    pub(super) fn each_request<E>(
        &self,
        mut before: impl FnMut(&[PeerMessage], &mut PeerView, &[PeerMessage]) -> Result<Option<SummaryUse>, E>,
        seen: &mut dyn FnMut(&PeerView),
    ) -> Result<(Figures, u64), E> {
        let mut figures = Figures::default();
        let mut full = self.full.clone();
        let mut view = PeerView::default();
        let mut sent: Vec<PeerMessage> = Vec::new();
        let (mut taken, mut dropped) = (0, 0);
        for point in &self.history.requests {
            let new = self.history.messages.get(taken..point.upto).unwrap_or_default();
            taken = point.upto;
            let summary = before(new, &mut view, &sent)?;
            dropped += u64::from(view.fit(self.room.limit.saturating_sub(self.room.fixed), self.counter));
            let warm = self.prefix_use(&view, &sent);
            self.count(&mut figures, &mut full, point, warm, summary, &view);
            seen(&view);
            sent.clone_from(&view.messages);
        }
        Ok((figures, dropped))
    }

    pub(super) fn summary_use(&self, call: &SummaryCall, cached: u64, warm_front: bool) -> SummaryUse {
        let fixed = self.room.fixed;
        let read = if call.shares_prefix && warm_front { fixed + cached.min(call.input) } else { 0 };
        let rest = (fixed + call.input).saturating_sub(read);
        let split = if call.shares_prefix {
            PrefixUse { read, write: rest, uncached: 0 }
        } else {
            // Another prompt, sent once: its prefix is of no later use.
            PrefixUse { read: 0, write: 0, uncached: call.input }
        };
        SummaryUse { warm: scaled_use(split, self.factor), output: scaled(SUMMARY_TOKENS, self.factor) }
    }

    fn prefix_use(&self, view: &PeerView, sent: &[PeerMessage]) -> PrefixUse {
        let total = self.room.fixed + view.tokens();
        let common: u64 = view.messages.iter().take(view.common(sent)).map(|message| message.tokens).sum();
        let read = if sent.is_empty() { 0 } else { self.room.fixed + common };
        scaled_use(PrefixUse { read, write: total - read, uncached: 0 }, self.factor)
    }

    fn count(
        &self,
        figures: &mut Figures,
        full: &mut FullHistory,
        point: &RequestPoint,
        warm: PrefixUse,
        summary: Option<SummaryUse>,
        view: &PeerView,
    ) {
        let whole = scaled_use(full.request(point.turn, point.step, self.room.fixed), self.factor);
        let messages = view.messages.iter().map(|message| message.message.as_ref());
        let looked = self.recall.look(point.turn, point.step, || Shown::of(messages, self.system));
        let request =
            BilledRequest { warm, full: whole, idle_ms: point.idle_ms, summary, ..BilledRequest::default() };
        figures.add(&request, &looked);
    }
}

#[cfg(test)]
mod tests;
