//! What compactions removed, and which of it is needed again: counted with each answer, and compared with what they save.

use std::sync::Arc;

use throughline_compaction::RequestPrices;
use throughline_completion::Prices;
use throughline_continuity::{Part, read_all};
use throughline_conversation::{
    EntryKind, Message, PolicyRecord, Receipt, RecordBody, RegretReceipt, SectionText, Seq, ToolCall,
    Transcript, with_free_ids,
};
use throughline_ledger::{FOLLOWED_RECORDS, ReadBack, RegretTracker, Shown};

use super::followed::Followed;
use super::{Session, documents_tail};
use crate::engine_tools;
use crate::request_prices::request_prices;
use crate::turn_context::TurnContext;

impl Session {
    /// Follows the compactions from here on. Of a session that was changed in an earlier run, the newest records are read once.
    pub(crate) async fn follow_compactions(&mut self, turn: &TurnContext<'_>, prices: Prices) {
        if self.followed.is_some() {
            return;
        }
        let mut followed = Followed::default();
        if self.view.epoch() > 0 {
            self.flush(turn).await;
            let log = self.journal.log();
            let after = Seq(self.view.last().0.saturating_sub(FOLLOWED_RECORDS));
            match read_all(log.as_ref(), &self.id, after, Part::All).await {
                Ok(page) => {
                    followed.tracker = RegretTracker::of(&page.records);
                    let prices = request_prices(prices);
                    for record in &page.records {
                        followed.balances.add(record.seq, &record.body, prices);
                        if let RecordBody::Message(said) = &record.body {
                            followed.note_calls(&said.message);
                        }
                    }
                }
                Err(error) => {
                    let fallback = "what earlier compactions removed is not looked for";
                    self.degrade(turn, "regret", fallback, &error);
                }
            }
        }
        self.followed = Some(followed);
    }

    /// An answer whose calls have ids of their own, behind [`follow_needs`](Self::follow_needs): no call that a change may bring back
    /// has one of them.
    pub(crate) fn with_own_ids(&mut self, answer: &Message) -> Message {
        let followed = self.followed.as_ref();
        let left = |id: &str| followed.is_some_and(|followed| followed.calls.contains(id));
        let answer = with_free_ids(answer, |id| self.view.has_call(id) || left(id));
        if let Some(followed) = &mut self.followed {
            followed.note_calls(&answer);
        }
        answer
    }

    /// Takes a compaction that is shown now: its edit's record, and the messages before it.
    pub(crate) fn note_compaction(&mut self, edit: Seq, before: &Transcript) {
        if let Some(followed) = &mut self.followed {
            followed.tracker.cut(edit, before.entries(), self.view.entries());
            followed.balances.compacted(edit);
        }
    }

    /// Reads what compactions removed, if this answer may use it.
    pub(crate) async fn follow_needs(&mut self, turn: &TurnContext<'_>, answer: &Message, prices: Prices) {
        if self.view.epoch() > 0 && answer.tool_calls().next().is_some() {
            self.follow_compactions(turn, prices).await;
        }
    }

    /// Adds to a receipt what its answer uses of what compactions removed. `system` was in the request, too.
    pub(crate) fn note_needs(
        &mut self,
        answer: &Message,
        system: &[SectionText],
        receipt: &mut Receipt,
        prices: Prices,
    ) {
        if self.view.epoch() == 0 || answer.tool_calls().next().is_none() {
            return;
        }
        let Some(followed) = &mut self.followed else { return };
        followed.tracker.note(self.view.entries());
        let documents = documents_tail(&self.view);
        let notes = system.iter().map(|section| &section.text).chain(&receipt.tail).chain(&documents);
        let messages = self.view.entries().iter().map(|entry| entry.message.as_ref());
        let shown = Shown::of(messages, notes.map(String::as_str));
        let price = prices.refetch(receipt.window.used.total());
        let needed = priced(followed.tracker.needed(answer, &shown), price);
        receipt.regret.extend(needed);
    }

    /// Notes for the next receipt what these results read back of what compactions removed.
    pub(crate) fn note_read_backs(&mut self, results: &Message, prices: Prices, tokens: u64) {
        let Some(followed) = &mut self.followed else { return };
        let answer = self.view.entries().iter().rfind(|entry| entry.kind == EntryKind::Assistant);
        let Some(answer) = answer.map(|entry| Arc::clone(&entry.message)) else { return };
        let tools = engine_tools::retrieval();
        let reads = answer.tool_calls().filter(|call| tools.contains(&call.name.as_str()));
        let reads = reads.filter_map(|call| {
            let result =
                results.tool_results().find(|result| result.call_id == call.id && !result.is_error)?;
            Some(ReadBack { name: asked_for(call), text: &result.content })
        });
        let messages = self.view.entries().iter().map(|entry| entry.message.as_ref());
        let found = followed.tracker.read_back(reads, &Shown::of(messages, []));
        self.pending.regret.extend(priced(found, prices.refetch(tokens)));
    }

    /// Adds a receipt to what the compactions have saved and cost.
    pub(crate) fn balance(&mut self, receipt: &Receipt, prices: RequestPrices) {
        if let Some(followed) = &mut self.followed {
            followed.balances.answered(receipt, prices);
        }
    }

    /// Adds a moved dial to the log and the balances.
    pub(crate) fn record_dial(&mut self, policy: PolicyRecord) {
        if let Some(followed) = &mut self.followed {
            followed.balances.policy(&policy);
        }
        self.journal.add(self.exchange, RecordBody::Policy(policy));
    }
}

/// What a call reads back: the reference that it names, else the tool.
fn asked_for(call: &ToolCall) -> &str {
    call.input.get("ref_id").and_then(|stored| stored.as_str()).unwrap_or(&call.name)
}

/// One step fetches all of it; each compaction has an equal part of its price.
fn priced(mut found: Vec<RegretReceipt>, price: f64) -> Vec<RegretReceipt> {
    let part = price / found.len().max(1) as f64;
    found.iter_mut().for_each(|regret| regret.price = part);
    found
}
