//! Codex CLI's local compaction: the user's newest messages and a summary remain.
//!
//! Source: codex-rs, `protocol/src/openai_models.rs` (automatic limit: nine tenths of the window) and `core/src/compact.rs`
//! (`COMPACT_USER_MESSAGE_MAX_TOKENS` = 20,000; the summary is the last item).

use throughline_conversation::TokenCounter;

use super::room::Room;
use super::summary::{SummaryCall, newest_user_messages, pending_user_message, summary};
use super::view::PeerView;

/// Share of the window that triggers it.
const TRIGGER: f64 = 0.9;

/// Maximum tokens of user messages that remain.
const USER_TOKENS: u64 = 20_000;

/// Compacts before a request, if it is due.
pub(super) fn shrink(view: &mut PeerView, room: &Room, counter: &dyn TokenCounter) -> Option<SummaryCall> {
    let tokens = view.tokens();
    let trigger = ((room.window as f64 * TRIGGER) as u64).min(room.limit);
    if room.fixed + tokens <= trigger {
        return None;
    }
    let pending = pending_user_message(&view.messages);
    let older = view.messages.len() - usize::from(pending.is_some());
    let older = view.messages.get(..older).unwrap_or_default();
    // In a small window a quarter of it is enough.
    let mut left = newest_user_messages(older, USER_TOKENS.min(room.limit / 4));
    left.push(summary(&view.messages, counter));
    left.extend(pending);
    view.messages = left;
    Some(SummaryCall { input: tokens, shares_prefix: true })
}
