//! What an inspector of stored sessions asks: logs that are read once, the window over time, cost by cause, search, the state of
//! continuity, and changes by name.

mod compact;
mod continuity_state;
mod cost_causes;
mod explained;
mod log_cache;
mod piece_costs;
mod piece_reasons;
mod pieces;
mod preferences;
mod prices;
mod timeline;

pub(crate) use compact::compact_stored;
pub(crate) use continuity_state::{ContinuityState, continuity_state};
pub(crate) use cost_causes::{CauseCost, cost_causes};
pub(crate) use explained::{ExplainedPiece, explained_pieces};
pub(crate) use log_cache::LogCache;
pub(crate) use pieces::{RequestPiece, record_text, request_pieces};
pub(crate) use preferences::{Preference, preferences, set_preference};
pub(crate) use timeline::{RequestPoint, timeline};
