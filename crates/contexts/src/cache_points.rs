//! Breakpoints of the prompt cache in terms of the caller's list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_conversation::{CacheBreakpoint, CacheTtl, Place};

/// The end of a prefix that the prompt cache is asked to store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CachePoint {
    /// What the prefix ends with.
    pub place: CachePlace,
    /// With `messages`: how many messages of the request, as `references` lists them, are in the prefix. Otherwise 0.
    pub messages: u64,
    /// How long it is stored.
    pub lifetime: CacheLifetime,
}

/// What a prefix ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CachePlace {
    /// The descriptions of the tools.
    Tools,
    /// The system prompt.
    System,
    /// A message.
    Messages,
}

/// How long a prefix is stored, as Anthropic's API writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum CacheLifetime {
    /// Five minutes, refreshed by each read.
    #[serde(rename = "5m")]
    FiveMinutes,
    /// One hour.
    #[serde(rename = "1h")]
    OneHour,
}

/// The breakpoints of a request whose messages have these ends. Sections of the system prompt are one place for the caller, which has
/// no other name for them; of two breakpoints at one place the longer lifetime counts.
pub(crate) fn cache_points(planned: &[CacheBreakpoint], ends: &[u64]) -> Vec<CachePoint> {
    let point = |marker: &CacheBreakpoint| {
        let lifetime = match marker.ttl {
            CacheTtl::FiveMinutes => CacheLifetime::FiveMinutes,
            CacheTtl::OneHour => CacheLifetime::OneHour,
        };
        let (place, messages) = match marker.place {
            Place::Tool(_) => (CachePlace::Tools, 0),
            Place::Section(_) => (CachePlace::System, 0),
            Place::Message(index) => (CachePlace::Messages, *ends.get(index)?),
        };
        Some(CachePoint { place, messages, lifetime })
    };
    let mut planned = planned.to_vec();
    planned.sort_by_key(|marker| (marker.place, std::cmp::Reverse(marker.ttl)));
    let mut points: Vec<CachePoint> = planned.iter().filter_map(point).collect();
    points.dedup_by(|next, before| {
        let same = (next.place, next.messages) == (before.place, before.messages);
        if same {
            before.lifetime = before.lifetime.max(next.lifetime);
        }
        same
    });
    points
}
