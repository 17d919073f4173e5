//! OpenHands' condenser: the middle of the history is forgotten, half of it remains.
//!
//! Source: `openhands/sdk/context/condenser/llm_summarizing_condenser.py` (`max_size` 240 events, `keep_first` 4 for its
//! agent, `max_tokens` the model's input limit; the newer half remains behind the summary). The request for the summary
//! does not share the session's prefix.

use throughline_conversation::TokenCounter;

use super::room::Room;
use super::summary::{SummaryCall, summary};
use super::view::PeerView;

/// Maximum number of events.
const MOST_EVENTS: usize = 240;

/// Events at the beginning that always remain.
const FIRST_EVENTS: usize = 4;

/// Condenses before a request, if it is due.
pub(super) fn shrink(view: &mut PeerView, room: &Room, counter: &dyn TokenCounter) -> Option<SummaryCall> {
    let tokens = view.tokens();
    let over = room.fixed + tokens > room.limit;
    if !over && view.messages.len() <= MOST_EVENTS {
        return None;
    }
    let most = (room.limit / 2).saturating_sub(room.fixed);
    let newest = |enough: &dyn Fn(usize, u64) -> bool| {
        let mut sum = 0;
        let mut count = 0;
        for message in view.messages.iter().rev() {
            sum += message.tokens;
            if enough(count, sum) {
                break;
            }
            count += 1;
        }
        count
    };
    let half = MOST_EVENTS / 2 - FIRST_EVENTS - 1;
    let left = if over { newest(&|_, sum| sum > most) } else { newest(&|count, _| count >= half) };
    let first = view.boundary(FIRST_EVENTS.min(view.messages.len()));
    let behind = view.boundary(view.messages.len().saturating_sub(left.max(1)));
    if behind <= first {
        return None;
    }
    let forgotten = view.messages.get(first..behind).unwrap_or_default();
    let input = forgotten.iter().map(|message| message.tokens).sum();
    let block = summary(forgotten, counter);
    view.messages.splice(first..behind, [block]);
    Some(SummaryCall { input, shares_prefix: false })
}
