//! What of the next request the provider has in its cache.

use throughline_compaction::SummaryPrefix;
use throughline_prompt::NextRequest;

use crate::engine::Engine;

impl Engine {
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
            epoch: self.view.epoch(),
            tail_tokens,
        }
    }
}
