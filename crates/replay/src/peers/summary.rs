//! The summary that every peer writes: a ledger of the work, newest first.

use std::collections::HashMap;

use throughline_conversation::{TokenCounter, ToolResult};
use throughline_ledger::Ledger;

use super::history::is_user_text;
use super::view::{PeerMessage, user_text};

/// Tokens of a summary, of which as many are paid as output.
pub const SUMMARY_TOKENS: u64 = 2_000;

/// Tokens of the user's words in it.
const USER_TOKENS: u64 = 800;

/// A request for a summary.
#[derive(Debug, Clone, Copy)]
pub(super) struct SummaryCall {
    /// Tokens of what is summarized, without system prompt and tools.
    pub(super) input: u64,
    /// Whether it is the session's own request with an instruction at its end: its prefix is in the cache.
    pub(super) shares_prefix: bool,
}

/// A summary of these messages.
pub(super) fn summary(messages: &[PeerMessage], counter: &dyn TokenCounter) -> PeerMessage {
    let mut ledger = Ledger::default();
    let results: HashMap<&str, &ToolResult> = messages
        .iter()
        .flat_map(|message| message.message.tool_results())
        .map(|result| (result.call_id.as_str(), result))
        .collect();
    let mut said = Vec::new();
    for PeerMessage { message, .. } in messages {
        if is_user_text(message) {
            // An earlier summary is continued.
            message.texts().for_each(|text| ledger.merge(text));
            said.push(message.texts().collect::<Vec<_>>().join("\n"));
        }
        for call in message.tool_calls() {
            ledger.note(call, results.get(call.id.as_str()).copied());
        }
    }
    let words = newest_words(&said, counter);
    let left = SUMMARY_TOKENS.saturating_sub(counter.text(&words));
    let work = ledger.render(left, counter, &mut |_| None).markdown();
    user_text(format!("This session is continued from a summary.\n\n{words}\n\n{work}"), counter)
}

/// The user's messages, newest first, each by at most 400 characters.
fn newest_words(said: &[String], counter: &dyn TokenCounter) -> String {
    let mut words = String::from("User messages:");
    for text in said.iter().rev() {
        let line = format!("\n- {}", throughline_text::cut_end(text.trim(), 400));
        if counter.text(&words) + counter.text(&line) > USER_TOKENS {
            break;
        }
        words.push_str(&line);
    }
    words
}

/// The messages of the user, newest first, up to this many tokens, in their own order.
pub(super) fn newest_user_messages(messages: &[PeerMessage], most: u64) -> Vec<PeerMessage> {
    let mut taken = Vec::new();
    let mut tokens = 0;
    for message in messages.iter().rev().filter(|message| is_user_text(&message.message)) {
        tokens += message.tokens;
        if tokens > most {
            break;
        }
        taken.push(message.clone());
    }
    taken.reverse();
    taken
}

/// The newest message, if it is the user's own.
pub(super) fn pending_user_message(messages: &[PeerMessage]) -> Option<PeerMessage> {
    messages.last().filter(|message: &&PeerMessage| is_user_text(&message.message)).cloned()
}
