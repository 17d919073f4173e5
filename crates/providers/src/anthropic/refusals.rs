//! Forms of a request that not every server of Anthropic's API takes: gateways refuse some.

use throughline_completion::{EventStream, ModelError};
use throughline_wire::anthropic::{AnthropicOptions, CacheMarkers};

use crate::http::{Refusable, UNKNOWN_FIELD, names, refuses_some};

/// The forms, and whether a server has refused them.
#[derive(Debug)]
pub(super) struct Refusals {
    lifetimes: Refusable,
    markers: Refusable,
    system_blocks: Refusable,
    /// Calls without the thinking before them, of a server that signs none.
    unsigned_calls: Refusable,
}

impl Refusals {
    /// Nothing is refused so far.
    pub(super) fn new() -> Self {
        Self {
            lifetimes: Refusable::new(|error| names(error, &["ttl"]) && names(error, UNKNOWN_FIELD)),
            markers: Refusable::new(|error| {
                names(error, &["cache_control"]) && names(error, UNKNOWN_FIELD) && !names(error, &["ttl"])
            }),
            system_blocks: Refusable::new(|error| {
                names(error, &["system"]) && names(error, &["valid string", "a string"])
            }),
            unsigned_calls: Refusable::new(|error| {
                names(error, &["thinking"]) && names(error, &["must be passed back"])
            }),
        }
    }

    /// The options without what the server has refused.
    pub(super) fn options_now(&self, options: AnthropicOptions) -> AnthropicOptions {
        let cache_markers = match (self.markers.is_taken(), self.lifetimes.is_taken()) {
            (true, true) => options.cache_markers,
            (true, false) => options.cache_markers.max(CacheMarkers::FiveMinutes),
            (false, _) => CacheMarkers::None,
        };
        let system_as_text = options.system_as_text || !self.system_blocks.is_taken();
        let unsigned_thinking = options.unsigned_thinking || !self.unsigned_calls.is_taken();
        AnthropicOptions { cache_markers, system_as_text, unsigned_thinking, ..options }
    }

    /// Returns true if the server refused a form, or a question that was `asked`: the request is to be sent again without it.
    pub(super) fn refuses_some(
        &self,
        asked: Option<&Refusable>,
        sent: &Result<EventStream, ModelError>,
    ) -> bool {
        let forms = [&self.lifetimes, &self.markers, &self.system_blocks, &self.unsigned_calls];
        refuses_some(&forms.into_iter().chain(asked).collect::<Vec<_>>(), sent)
    }
}
