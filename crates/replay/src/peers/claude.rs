//! Claude Code's automatic compaction: the whole history becomes a summary when the window is nearly full.
//!
//! Source: its public constants and write-ups (compaction at the window less 20,000 less 13,000 of 200,000 tokens, about
//! .95 of the room at smaller windows); the request for the summary is the session's own with an instruction at its end.

use throughline_conversation::TokenCounter;

use super::room::Room;
use super::summary::{SummaryCall, pending_user_message, summary};
use super::view::PeerView;

/// Share of the room that triggers it.
const TRIGGER: f64 = 0.95;

/// Compacts before a request, if it is due.
pub(super) fn shrink(view: &mut PeerView, room: &Room, counter: &dyn TokenCounter) -> Option<SummaryCall> {
    let tokens = view.tokens();
    if room.fixed + tokens <= room.share(TRIGGER) {
        return None;
    }
    let pending = pending_user_message(&view.messages);
    view.messages = [Some(summary(&view.messages, counter)), pending].into_iter().flatten().collect();
    Some(SummaryCall { input: tokens, shares_prefix: true })
}
