//! Cache markers on Anthropic's wire.

use serde_json::{Value, json};
use throughline_conversation::{CacheBreakpoint, CacheTtl, Place};

use super::options::CacheMarkers;

/// Maximum number of markers of one request (Anthropic documentation, "Prompt caching").
const MAX_MARKERS: usize = 4;

/// The markers that the API takes, in the order of the wire.
#[derive(Debug)]
pub(super) struct Markers {
    placed: Vec<CacheBreakpoint>,
}

impl Markers {
    /// One marker a place, the last four, none with a longer lifetime than one in front of it; of these those that are `taken`.
    pub(super) fn new(breakpoints: &[CacheBreakpoint], taken: CacheMarkers) -> Self {
        let (breakpoints, mut longest) = match taken {
            CacheMarkers::All => (breakpoints, CacheTtl::OneHour),
            CacheMarkers::FiveMinutes => (breakpoints, CacheTtl::FiveMinutes),
            CacheMarkers::None => (&[][..], CacheTtl::FiveMinutes),
        };
        let mut placed = breakpoints.to_vec();
        // Of two at one place the longer time counts.
        placed.sort_by_key(|marker| (marker.place, std::cmp::Reverse(marker.ttl)));
        placed.dedup_by_key(|marker| marker.place);
        placed.drain(..placed.len().saturating_sub(MAX_MARKERS));
        for marker in &mut placed {
            longest = longest.min(marker.ttl);
            marker.ttl = longest;
        }
        Self { placed }
    }

    /// Sets the marker of this place on a block or a tool, when there is one.
    pub(super) fn mark(&self, place: Place, value: &mut Value) {
        let marker = self.placed.iter().find(|marker| marker.place == place);
        if let (Some(marker), Value::Object(fields)) = (marker, value) {
            let control = match marker.ttl {
                CacheTtl::FiveMinutes => json!({"type": "ephemeral"}),
                CacheTtl::OneHour => json!({"type": "ephemeral", "ttl": "1h"}),
            };
            fields.insert("cache_control".to_owned(), control);
        }
    }
}
