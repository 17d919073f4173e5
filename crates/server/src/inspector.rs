//! What an inspector of stored sessions asks: logs that are read once, the window over time, cost by cause, search, the state of
//! continuity, and changes by name.

mod compact;
mod continuity_state;
mod conversation;
mod cost_causes;
mod explained;
mod log_cache;
mod piece_costs;
mod piece_reasons;
mod pieces;
mod preference_texts;
mod preferences;
mod prices;
mod session_figures;
mod stored_log;
mod timeline;
mod tool_costs;
mod tool_names;
mod turn_rows;
mod window_items;

pub(crate) use compact::compact_stored;
pub(crate) use continuity_state::{ContinuityState, agent_of, continuity_state};
pub(crate) use conversation::{Conversation, GivenResult, SaidItem, SaidKind, Sight};
pub(crate) use cost_causes::{CauseCost, cost_causes};
pub(crate) use explained::{ExplainedPiece, explained_pieces};
pub(crate) use log_cache::LogCache;
pub(crate) use pieces::{RequestPiece, record_text, request_pieces};
pub(crate) use preferences::{Preference, preferences, set_preference};
pub(crate) use session_figures::{
    SessionFigures, SideRequests, add, calls_of, dollars_of, idle_of, saved_of, sum_of, took_of, total,
};
pub(crate) use stored_log::{LostRecords, StoredLog};
pub(crate) use timeline::{IDLE_GAP, LostCache, RequestPoint, timeline};
pub(crate) use tool_costs::{ToolTotal, tool_costs};
pub(crate) use turn_rows::{TurnRow, turn_rows};
pub(crate) use window_items::{WindowItem, next_window, window_items};
