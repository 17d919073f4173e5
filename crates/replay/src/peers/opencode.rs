//! OpenCode: old tool results are cleared, and a full window is summarized with a tail.
//!
//! Source: `packages/opencode/src/session/compaction.ts` (`PRUNE_PROTECT` = 40,000, `PRUNE_MINIMUM` = 20,000, tail of 2,000
//! to 15,000 tokens, a quarter of what is usable) and `overflow.ts`. The two newest user turns are not exempt here:
//! recorded turns are long. The request for the summary does not share the session's prefix.

use throughline_conversation::TokenCounter;

use super::room::Room;
use super::summary::{SummaryCall, summary};
use super::view::{PeerMessage, PeerView};

/// Tokens of the newest results that are never cleared.
const PROTECTED: u64 = 40_000;

/// Fewer tokens than this are not worth clearing.
const MINIMUM: u64 = 20_000;

/// The text of a cleared result.
const CLEARED: &str = "[Old tool result content cleared]";

/// Clears and compacts before a request, if it is due.
pub(super) fn shrink(view: &mut PeerView, room: &Room, counter: &dyn TokenCounter) -> Option<SummaryCall> {
    prune(view, counter);
    let tokens = view.tokens();
    if room.fixed + tokens <= room.limit {
        return None;
    }
    let tail = (room.limit / 4).clamp(2_000, 15_000);
    let first = view.boundary(tail_start(view, tail));
    let older = view.messages.get(..first).unwrap_or_default();
    let input = older.iter().map(|message| message.tokens).sum();
    let block = summary(older, counter);
    view.messages.splice(..first, [block]);
    Some(SummaryCall { input, shares_prefix: false })
}

/// Clears old results if that frees enough.
fn prune(view: &mut PeerView, counter: &dyn TokenCounter) {
    let (mut seen, mut freed) = (0, 0);
    let mut old = Vec::new();
    for (place, message) in view.messages.iter().enumerate().rev().filter(|(_, message)| message.is_results())
    {
        if message.message.tool_results().all(|result| result.content == CLEARED) {
            break;
        }
        seen += message.tokens;
        if seen > PROTECTED {
            freed += message.tokens;
            old.push(place);
        }
    }
    if freed > MINIMUM {
        old.into_iter().for_each(|place| view.clear_results(place, CLEARED, counter));
    }
}

/// The first of the newest messages that fit into this many tokens; the last message always does.
fn tail_start(view: &PeerView, most: u64) -> usize {
    let mut tokens = 0;
    let newest = view.messages.iter().rev().take_while(|message: &&PeerMessage| {
        tokens += message.tokens;
        tokens <= most
    });
    let fit = newest.count().max(1);
    view.messages.len().saturating_sub(fit)
}
