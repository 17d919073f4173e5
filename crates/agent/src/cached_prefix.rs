//! What of the next request the provider has in its cache.

use throughline_compaction::SummaryPrefix;
use throughline_conversation::{Transcript, View};
use throughline_prompt::NextRequest;

use crate::engine::Engine;

/// The messages before the first change of groups since the last request, so that a way back to them is noticed.
#[derive(Debug, Default)]
pub(crate) struct Left {
    before: Option<(u64, Transcript)>,
    /// An epoch of the view, and the earlier one whose messages it begins with.
    same: Option<(u64, u64)>,
}

impl Engine {
    /// Shows another view, made anew from the log. When it has the old messages again, what is cached is good still.
    pub(crate) fn show(&mut self, view: View) {
        let old = (self.prefix_epoch(), self.view.transcript().clone());
        let (epoch, transcript) = &*self.left.before.get_or_insert(old);
        let goes_on = transcript.common_prefix(view.transcript()) == transcript.len();
        self.left.same = goes_on.then_some((view.epoch(), *epoch));
        self.view = view;
    }

    /// The epoch of the view, or the one that it has gone back to: while it stays the same, messages only come at the
    /// end.
    pub(crate) fn prefix_epoch(&self) -> u64 {
        let epoch = self.view.epoch();
        self.left.same.filter(|(view, _)| *view == epoch).map_or(epoch, |(_, earlier)| earlier)
    }

    /// A request is sent: from here on it is the one to go back to.
    pub(crate) fn sent_prefix(&mut self) {
        self.left.before = None;
    }

    /// The request as it was sent last and has grown since, when the provider has some of it in its cache.
    pub(crate) fn cached_prefix(&self) -> Option<SummaryPrefix<'_>> {
        let sent = self.sent_at?;
        let idle = self.parts.clock.now().0.saturating_sub(sent.0).unsigned_abs();
        let warm = self.predictor.clone().predict(&self.next_request(0)).cache_read;
        (warm > 0 && idle <= self.parts.info.cache.idle_ms).then(|| SummaryPrefix {
            model: &self.parts.info.name,
            session: &self.parts.session,
            system: &self.system,
            tools: &self.tools,
            transcript: self.view.transcript(),
            max_output_tokens: self.parts.settings.max_output_tokens,
            tokens: self.measure().1.upper,
            cached: self.meter.from_raw(warm),
        })
    }

    /// The request as the cache's predictor sees it.
    pub(crate) fn next_request(&self, tail_tokens: u64) -> NextRequest<'_> {
        NextRequest {
            tools: &self.tools,
            system: &self.system,
            tools_tokens: self.tools_tokens,
            system_tokens: self.system_tokens.base.saturating_add(self.system_tokens.skills),
            messages: self.view.entries().len(),
            conversation_tokens: self.view.tokens(),
            epoch: self.prefix_epoch(),
            tail_tokens,
        }
    }
}
