//! The session as its log has it.

use std::sync::Arc;

use throughline_compaction::{NameLog, PriceState, StandingTexts};
use throughline_continuity::{MessageLog, Part, Resumed, SnapshotStore, read_all};
use throughline_conversation::{CheckpointRecord, ExchangeId, SessionId, TokenCounter};

use super::{EarlierRequest, Session};
use crate::ahead::Ahead;
use crate::clock::Clock;
use crate::journal::Journal;
use crate::outcomes::Outcomes;
use crate::pace::Pace;
use crate::pending_receipt::PendingReceipt;
use crate::progress::Progress;
use crate::spending::Guard;

/// What an open session writes to, and what it counts with.
#[derive(Debug)]
pub(crate) struct OpenPorts {
    pub(crate) log: Arc<dyn MessageLog>,
    pub(crate) snapshots: Arc<dyn SnapshotStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) spending: Guard,
    /// The loop runs the requests for summaries while the session works.
    pub(crate) summaries_ahead: bool,
}

impl Session {
    /// Continues where the log ends.
    pub(crate) fn resumed(id: SessionId, found: Resumed, ports: OpenPorts) -> Self {
        let OpenPorts { log, snapshots, clock, counter, spending, summaries_ahead } = ports;
        let journal = Journal::new(log, id.clone(), Arc::clone(&clock), found.last);
        let earlier = earlier(&found);
        let receipt = found.receipt.as_ref();
        let mut session = Self {
            id,
            journal,
            snapshots,
            clock,
            counter,
            exchange: found.exchange.max(ExchangeId(0)),
            // A request that failed has no receipt, but its checkpoint counts it.
            request: receipt
                .map_or(0, |receipt| receipt.request)
                .max(found.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.iteration)),
            view: found.view,
            fresh_turn: false,
            compactions: 0,
            documents_tokens: 0,
            unsaved_snapshot: false,
            refusal: None,
            pending: PendingReceipt::default(),
            progress: Progress::of(found.checkpoint.as_ref()),
            spending,
            earlier,
            followed: None,
            long_prompt_noted: false,
            without_search: None,
            short_report_noted: false,
            impossible_report_noted: false,
            second_try: None,
            standing: StandingTexts::default(),
            names: NameLog::default(),
            keys: Outcomes::default(),
            armed: None,
            pace: Pace::default(),
            ahead: Ahead::new(summaries_ahead),
            price: receipt.and_then(|receipt| PriceState::answered(None, receipt)),
        };
        session.count_documents();
        session.restore_standing();
        session
    }

    /// Counts what was used after a checkpoint.
    pub(crate) async fn catch_up(&mut self, checkpoint: &CheckpointRecord) {
        // Without these records the counts of the next checkpoint miss a few requests.
        let after = read_all(self.journal.log().as_ref(), &self.id, checkpoint.messages, Part::All).await;
        self.progress.catch_up(&after.unwrap_or_default().records);
    }

    /// Forgets the last request of an earlier run: another model's cache has nothing for this one.
    pub(crate) fn forget_earlier(&mut self) {
        self.earlier = None;
    }
}

/// The last answered request before this run.
fn earlier(found: &Resumed) -> Option<EarlierRequest> {
    let receipt = found.receipt.as_ref()?;
    let sent = receipt.window.used.total();
    let tokens = receipt.reported.map_or(sent, |usage| usage.with_prompt(receipt.window_prompt).prompt());
    Some(EarlierRequest { at: found.answered?, tokens })
}
