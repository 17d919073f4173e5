//! Forms of a request that not every server of Anthropic's API takes: gateways refuse some.

use throughline_completion::{EventStream, ModelError};
use throughline_wire::anthropic::{AnthropicOptions, CacheMarkers};

use crate::http::{Refusable, names, refuses_some};

/// Words about a field that a server does not know.
const UNKNOWN_FIELD: &[&str] = &["xtra", "nknown", "nrecognized", "nexpected", "ot permitted", "upport"];

/// The forms, and whether a server has refused them.
#[derive(Debug)]
pub(super) struct Refusals {
    lifetimes: Refusable,
    markers: Refusable,
    system_blocks: Refusable,
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
        AnthropicOptions { cache_markers, system_as_text, ..options }
    }

    /// Returns true if the server refused a form, or a question that was `asked`: the request is to be sent again without it.
    pub(super) fn refuses_some(
        &self,
        asked: Option<&Refusable>,
        sent: &Result<EventStream, ModelError>,
    ) -> bool {
        let forms = [&self.lifetimes, &self.markers, &self.system_blocks];
        refuses_some(&forms.into_iter().chain(asked).collect::<Vec<_>>(), sent)
    }
}
