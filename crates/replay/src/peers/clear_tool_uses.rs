//! Anthropic's context editing `clear_tool_uses_20250919`: old tool results are replaced by a placeholder.
//!
//! Source: Anthropic documentation, "Context editing" (keep 3 tool uses, `clear_at_least`). The trigger is half of the room,
//! at most the documented 100,000 tokens, and a tenth of the room must be freed, as the documentation advises for caches.

use throughline_conversation::TokenCounter;

use super::room::Room;
use super::summary::SummaryCall;
use super::view::PeerView;

/// The documented trigger.
const TRIGGER: u64 = 100_000;

/// Tool uses that remain.
const KEEP: usize = 3;

/// The text of a cleared result.
const CLEARED: &str = "[cleared]";

/// Clears before a request, if it is due. It writes no summary.
pub(super) fn shrink(view: &mut PeerView, room: &Room, counter: &dyn TokenCounter) -> Option<SummaryCall> {
    if room.fixed + view.tokens() <= room.share(0.5).min(TRIGGER) {
        return None;
    }
    let results = view.messages.iter().enumerate().rev().filter(|(_, message)| message.is_results());
    let mut uses = 0;
    let mut old = Vec::new();
    let mut freed = 0;
    for (place, message) in results {
        uses += message.message.tool_results().count();
        let cleared = message.message.tool_results().all(|result| result.content == CLEARED);
        if uses > KEEP && !cleared {
            freed += message.tokens;
            old.push(place);
        }
    }
    if freed >= room.share(0.1) {
        old.into_iter().for_each(|place| view.clear_results(place, CLEARED, counter));
    }
    None
}
