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

pub use compact::compact_stored;
pub use continuity_state::{ContinuityState, continuity_state};
pub use cost_causes::{CauseCost, cost_causes};
pub use explained::{ExplainedPiece, explained_pieces};
pub use log_cache::LogCache;
pub use piece_costs::PieceCost;
pub use piece_reasons::PieceReason;
pub use pieces::{PieceSource, RequestPiece, record_text, request_pieces};
pub use preferences::{preferences, set_preference};
pub use timeline::{IDLE_GAP, RequestPoint, timeline};
