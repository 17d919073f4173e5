//! Accepting the user's message.

use throughline_conversation::{ContentBlock, EditReason, Message, RecordBody, Role, Source};
use throughline_groups::window_edit;

use crate::compact_error::CompactError;
use crate::compacting::Compaction;
use crate::decision::is_blocked;
use crate::error::TurnError;
use crate::event::Event;
use crate::frame::components;
use crate::session::Session;
use crate::turn_context::TurnContext;
use crate::window::{Window, block_level};

/// The user's message without blocks that say nothing or are not the user's.
pub(crate) fn cleaned(message: Message) -> Message {
    Message { role: Role::User, content: message.content.into_iter().filter(has_content).collect() }
}

/// Shrinks a view at the block level before the message is accepted.
///
/// # Errors
/// [`TurnError::DoesNotFit`] if the message can never fit; it is refused before it is in the log.
pub(crate) async fn make_room(message: &Message, compaction: &mut Compaction<'_>) -> Result<(), TurnError> {
    let frame = compaction.frame;
    let raw = components(compaction.session, frame.prefix, frame.tools);
    if is_blocked(&compaction.window.measure(raw, 0), &compaction.window.limits) {
        match compaction.force(EditReason::BlockThreshold).await {
            // The message is accepted; the turn ends where it would have to compact again.
            Ok(()) | Err(TurnError::Compaction(CompactError::Stopped)) => {}
            Err(error) => return Err(error),
        }
    }
    let tokens = compaction.session.counter.message(message);
    let (window, fixed) = (&compaction.window, raw.fixed());
    if window.meter.from_raw(fixed.saturating_add(tokens)) >= block_level(&window.limits) {
        return Err(compaction.does_not_fit(tokens, "the message of the user alone".to_owned()));
    }
    Ok(())
}

/// Starts a turn with the message.
pub(crate) fn begin_turn(session: &mut Session, turn: &TurnContext<'_>, message: Message) {
    session.close_open_calls(turn);
    session.exchange = session.exchange.next();
    session.turn += 1;
    session.fresh_turn = true;
    session.append_message(turn, message, Source::User);
}

/// Hides the groups that the message window no longer shows, and reports the message as accepted.
pub(crate) async fn finish_accepting(session: &mut Session, window: &mut Window, turn: &TurnContext<'_>) {
    if let Some(edit) = window_edit(&session.view) {
        match session.append(RecordBody::Edit(edit)) {
            Ok(()) => window.meter.drop_anchor(),
            Err(error) => session.degrade(turn, "window", "older groups are shown, too", &error),
        }
    }
    turn.sink.emit(Event::Accepted { exchange: session.exchange });
    session.flush(turn).await;
}

fn has_content(block: &ContentBlock) -> bool {
    match block {
        ContentBlock::Text { text } => !text.trim().is_empty(),
        ContentBlock::Image(_) => true,
        ContentBlock::Thinking(_) | ContentBlock::ToolCall(_) | ContentBlock::ToolResult(_) => false,
    }
}
