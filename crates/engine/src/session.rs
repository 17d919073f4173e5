//! The session: its log, the view projected from it, and what the next receipt will say.

mod certified;
mod documents;
mod facts;
mod followed;
mod keys;
mod long_prompt;
mod no_search;
mod open_calls;
mod opening;
mod receipts;
mod regret;
mod second_try;
mod short_reports;
mod shown;
mod tool_history;

use std::sync::Arc;

use throughline_compaction::{NameLog, PriceState, StandingTexts};
use throughline_completion::{Prices, RefusalDetails};
use throughline_continuity::{SnapshotStore, snapshot_of};
use throughline_conversation::{
    Degradation, ExchangeId, Message, MessageRecord, Millis, ModelUse, Origin, Receipt, Record, RecordBody,
    SessionId, Source, TokenCounter, View, ViewError,
};
use throughline_text::{counted, error_chain};

use crate::ahead::Ahead;
use crate::clock::Clock;
use crate::event::Event;
use crate::journal::Journal;
use crate::outcomes::Outcomes;
use crate::pace::Pace;
use crate::pending_receipt::PendingReceipt;
use crate::progress::Progress;
use crate::request_prices::request_prices;
use crate::spending::Guard;
use crate::turn_context::TurnContext;

use followed::Followed;

pub(crate) use documents::documents_tail;
pub(crate) use opening::OpenPorts;
pub(crate) use short_reports::is_impossible_report;

/// The last answered request of an earlier run: what a provider may still have in its cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EarlierRequest {
    /// When its answer was complete.
    pub(crate) at: Millis,
    /// Its tokens.
    pub(crate) tokens: u64,
}

/// Everything that is recorded, and the view that the model sees of it.
#[derive(Debug)]
pub(crate) struct Session {
    id: SessionId,
    journal: Journal,
    snapshots: Arc<dyn SnapshotStore>,
    clock: Arc<dyn Clock>,
    /// Counts the view's tokens, and everything else that a request contains.
    counter: Arc<dyn TokenCounter>,
    view: View,
    exchange: ExchangeId,
    request: u64,
    /// No request of the current turn was answered yet.
    fresh_turn: bool,
    /// Compactions in this run.
    compactions: u64,
    /// Tokens of the documents at the end of each request.
    documents_tokens: u64,
    unsaved_snapshot: bool,
    /// What the provider said about its refusal of the current turn.
    refusal: Option<RefusalDetails>,
    pending: PendingReceipt,
    progress: Progress,
    spending: Guard,
    /// What decisions by price remember; `None` before the first.
    price: Option<PriceState>,
    pace: Pace,
    ahead: Ahead,
    /// The last answered request of an earlier run.
    earlier: Option<EarlierRequest>,
    /// What the compactions removed and saved; `None` until that matters.
    followed: Option<Followed>,
    /// The user knows that long prompts cost more.
    long_prompt_noted: bool,
    /// The model whose provider has no search of its own, as the user was last shown.
    without_search: Option<Origin>,
    /// The user knows that a provider counts less than requests have.
    short_report_noted: bool,
    impossible_report_noted: bool,
    /// The newest group whose model was asked once more because its answer was empty or broke off.
    second_try: Option<ExchangeId>,
    /// What every request after a compaction has word for word.
    standing: StandingTexts,
    /// Names for the summaries, counted since the session was opened or its groups changed.
    names: NameLog,
    /// Operations with a key that were done.
    keys: Outcomes,
    /// Key and name of the operation that runs, until they are recorded.
    armed: Option<keys::ArmedKey>,
}

impl Session {
    /// Records a decision and reports it as a log line.
    pub(crate) fn log_decision(&mut self, turn: &TurnContext<'_>, step: &str, line: String, why: &str) {
        tracing::info!(step, line, "log");
        turn.sink.emit(Event::Log(line.clone()));
        self.record_decision(step, line, why);
    }

    /// Records that a fallback took over from a subsystem: in the log, the receipt and the events.
    pub(crate) fn degrade(
        &mut self,
        turn: &TurnContext<'_>,
        subsystem: &str,
        fallback: &str,
        cause: &dyn std::error::Error,
    ) {
        let degradation = Degradation {
            subsystem: subsystem.to_owned(),
            fallback: fallback.to_owned(),
            cause: error_chain(cause),
        };
        self.record_degradation(turn, degradation);
    }

    pub(crate) fn record_degradation(&mut self, turn: &TurnContext<'_>, degradation: Degradation) {
        turn.sink.emit(Event::Degraded(degradation.clone()));
        self.note_degradation(degradation);
    }

    /// Records a degradation without a listener: the next receipt reports it.
    pub(crate) fn note_degradation(&mut self, degradation: Degradation) {
        let Degradation { subsystem, fallback, cause } = &degradation;
        tracing::warn!(%subsystem, %fallback, %cause, "degraded");
        self.record(RecordBody::Degraded(degradation.clone()));
        self.pending.degraded.push(degradation);
    }

    /// Records the usage of requests whose answers are not messages of the session, if there were any.
    pub(crate) fn record_usage(&mut self, turn: &TurnContext<'_>, used: ModelUse) {
        if used.is_nothing() {
            return;
        }
        self.progress.add(Some(&used.usage));
        self.count_spending(&used);
        self.record(RecordBody::Spent(used.clone()));
        turn.sink.emit(Event::Spent(used));
    }

    /// Takes over what an answered request means for the next one.
    pub(crate) fn note_answer(&mut self, receipt: &Receipt, prices: Prices) {
        self.fresh_turn = false;
        if let Some(usage) = &receipt.reported {
            self.ahead.pay(request_prices(prices).of(usage));
        }
        self.balance(receipt, request_prices(prices));
        self.price = PriceState::answered(self.price, receipt);
    }

    /// Counts requests against the limits of spending.
    pub(crate) fn count_spending(&self, used: &ModelUse) {
        if let Some(guard) = &self.spending {
            guard.record(used);
        }
    }

    /// Appends a record that the view does not show.
    pub(crate) fn record(&mut self, body: RecordBody) -> Record {
        self.journal.add(self.exchange, body)
    }

    /// Starts a turn, in a group of its own.
    pub(crate) fn begin_turn(&mut self) {
        self.exchange = self.exchange.next();
        self.fresh_turn = true;
    }

    /// Numbers the next request.
    pub(crate) fn begin_request(&mut self) {
        self.request += 1;
    }

    /// Appends a record to the log and applies it to the view. On error the log has the record and the view does not. A message or a
    /// document after a hidden group begins a group of its own: it would be hidden with that one.
    pub(crate) fn append(&mut self, body: RecordBody) -> Result<(), ViewError> {
        if matches!(body, RecordBody::Message(_) | RecordBody::Document(_)) {
            self.exchange = self.view.groups().open_group(self.exchange);
        }
        let record = self.record(body);
        self.view.apply(&record, self.counter.as_ref())
    }

    /// Appends a message. A view that cannot take it is a degradation: the log has the message in any case.
    pub(crate) fn append_message(&mut self, turn: &TurnContext<'_>, message: Message, source: Source) {
        let body = RecordBody::Message(MessageRecord { message, source, usage: None });
        if let Err(error) = self.append(body) {
            self.degrade(turn, "view", "the message is in the log and missing from this request", &error);
        }
    }

    /// Writes pending records. After a failure they stay in memory, and the next flush tries again.
    pub(crate) async fn flush(&mut self, turn: &TurnContext<'_>) {
        match self.journal.flush().await {
            Ok(Some(seq)) => turn.sink.emit(Event::Acknowledged { seq }),
            Ok(None) => {}
            Err(error) => {
                let pending = counted(self.journal.pending() as u64, "record");
                let fallback = format!("the next write tries {pending} in memory again");
                self.degrade(turn, "log", &fallback, &error);
            }
        }
    }

    /// Saves a snapshot of the view. Without one a resume reads the whole log, which is slower and never wrong.
    pub(crate) async fn save_snapshot(&mut self, turn: &TurnContext<'_>) {
        let snapshot = snapshot_of(&self.id, &self.view, self.clock.now());
        match self.snapshots.save(&snapshot).await {
            Ok(()) => {
                self.unsaved_snapshot = false;
                turn.sink.emit(Event::SnapshotSaved { covers: snapshot.covers });
            }
            Err(error) => self.degrade(turn, "snapshot store", "a resume will read the whole log", &error),
        }
    }

    /// Says whether the view has changed enough for a snapshot at the next chance.
    pub(crate) fn want_snapshot(&mut self, wanted: bool) {
        self.unsaved_snapshot = wanted;
    }

    /// Saves the snapshot of the last compaction, if the log is written up to it.
    pub(crate) async fn save_snapshot_when_due(&mut self, turn: &TurnContext<'_>) {
        if self.unsaved_snapshot && self.journal.pending() == 0 {
            self.save_snapshot(turn).await;
        }
    }

    /// Tokens of texts that follow each other.
    pub(crate) fn tokens_of<'t>(&self, texts: impl IntoIterator<Item = &'t String>) -> u64 {
        tokens_of(self.counter.as_ref(), texts)
    }
}

/// Tokens of texts that follow each other.
pub(crate) fn tokens_of<'t>(counter: &dyn TokenCounter, texts: impl IntoIterator<Item = &'t String>) -> u64 {
    texts.into_iter().fold(0, |sum: u64, text| sum.saturating_add(counter.text(text)))
}
