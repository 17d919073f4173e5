//! Accepting the user's message.

use std::borrow::Cow;

use throughline_compaction::ProseSummary;
use throughline_conversation::{
    Action, Components, ContentBlock, Edit, EditReason, EntryKind, Image, KeyOutcome, Message, RecordBody,
    ResultRef, Role, Source,
};
use throughline_groups::window_edit;
use throughline_resultstore::{Ingested, message_room};
use throughline_text::group_thousands;
use throughline_tools::base64_bytes;

use crate::compact_error::CompactError;
use crate::compacting::Compaction;
use crate::decision::is_blocked;
use crate::error::TurnError;
use crate::event::Event;
use crate::frame::components;
use crate::session::Session;
use crate::turn_context::TurnContext;
use crate::window::Window;

/// The user's message without blocks that say nothing or are not the user's. A picture that no provider takes is a line.
pub(crate) fn cleaned(message: &Message) -> Cow<'_, Message> {
    let is_clean = |block| has_content(block) && unreadable_picture(block).is_none();
    if message.role == Role::User && message.content.iter().all(is_clean) {
        return Cow::Borrowed(message);
    }
    let content = message.content.iter().filter(|block| has_content(block));
    let content = content.map(|block| unreadable_picture(block).unwrap_or_else(|| block.clone())).collect();
    Cow::Owned(Message { role: Role::User, content })
}

/// The line for a picture whose base64 is malformed: it would make this request fail, and all later ones.
fn unreadable_picture(block: &ContentBlock) -> Option<ContentBlock> {
    let ContentBlock::Image(image) = block else { return None };
    let bytes = || group_thousands(base64_bytes(&image.data));
    let text = || format!("[A picture of {} bytes is not shown: its base64 is malformed.]", bytes());
    (!Image::is_base64(&image.data)).then(|| ContentBlock::Text { text: text() })
}

/// The message as the session takes it.
///
/// # Errors
/// [`TurnError::EmptyMessage`] if nothing of it is left.
pub(crate) fn accepted(message: &Message) -> Result<Message, TurnError> {
    let message = cleaned(message).into_owned();
    if message.content.is_empty() { Err(TurnError::EmptyMessage) } else { Ok(message) }
}

/// Shrinks a view at the block level before the message is accepted. A message that alone does not fit is stored and shown in
/// part; returns the message that is accepted.
///
/// # Errors
/// [`TurnError::DoesNotFit`] if the message can never fit; it is refused before it is in the log.
pub(crate) async fn make_room(
    message: Message,
    compaction: &mut Compaction<'_>,
) -> Result<Message, TurnError> {
    let frame = compaction.frame;
    let raw = components(compaction.session, frame.prefix, frame.tools);
    // A caller that writes the summaries is asked for them with the next request.
    let may_shrink = frame.model.caller.is_none();
    let size = compaction.window.measure(raw, 0);
    if may_shrink && is_blocked(&size, compaction.window.limits()) {
        if compaction.window.limits().should_compact(size.used()) {
            compaction.announce();
        }
        match compaction.force(EditReason::BlockThreshold).await {
            // The message is accepted; the turn ends where it would have to compact again.
            Ok(()) | Err(TurnError::Compaction(CompactError::Stopped)) => {}
            Err(error) => return Err(error),
        }
    }
    let free = room_alone(compaction);
    let tokens =
        |message: &Message, compaction: &Compaction<'_>| compaction.session.counter().message(message);
    if tokens(&message, compaction) <= free {
        return Ok(message);
    }
    let shown = offloaded(message.clone(), free, compaction).await.map(|(shown, _)| shown);
    match shown.filter(|shown| tokens(shown, compaction) <= free) {
        Some(shown) => Ok(shown),
        None => {
            let tokens = tokens(&message, compaction);
            Err(compaction.does_not_fit(tokens, "the message of the user alone".to_owned()))
        }
    }
}

/// Stores the last message of the user and shows its start and its end, once the window turned out to be too small for it. Returns
/// false if that is no remedy.
pub(crate) async fn show_in_part(compaction: &mut Compaction<'_>) -> bool {
    let Some(last) = compaction.session.view().entries().last() else { return false };
    let is_text = |block: &ContentBlock| matches!(block, ContentBlock::Text { .. });
    if last.kind != EntryKind::User || !last.message.content.iter().all(is_text) {
        return false;
    }
    let (span, tokens, message) = (last.span, last.tokens, Message::clone(&last.message));
    let free = room_alone(compaction);
    // The window may be smaller still, and something has to go.
    let Some((shown, stored)) = offloaded(message, free.min(tokens / 2), compaction).await else {
        return false;
    };
    if compaction.session.counter().message(&shown) >= tokens {
        return false;
    }
    // It stays the user's last request, and the user's words behind the next one.
    let summary = ProseSummary::of_request(&shown.text(), &stored);
    let action = Action::Cover { span, summary: Some(summary), note: None };
    let strategies = vec!["message shown in part".to_owned()];
    let edit = Edit { reason: EditReason::Overflow, actions: vec![action], strategies };
    if let Err(error) = compaction.session.append(RecordBody::Edit(edit)) {
        compaction.session.degrade(compaction.turn, "view", "the message stays whole", &error);
        return false;
    }
    compaction.window.drop_anchor();
    compaction.session.flush(compaction.turn).await;
    true
}

/// The tokens of the largest conversation, by the counter.
fn room_alone(compaction: &Compaction<'_>) -> u64 {
    let frame = compaction.frame;
    let raw = components(compaction.session, frame.prefix, frame.tools);
    let alone = Components { conversation: compaction.window.total(), ..raw };
    compaction.window.largest_conversation(alone)
}

/// The message with its long texts stored and shown in part, so that most of the free tokens are left for the work on it.
/// Returns the names of the stored ones, too. `None` if a text cannot be stored.
async fn offloaded(
    mut message: Message,
    free: u64,
    compaction: &mut Compaction<'_>,
) -> Option<(Message, Vec<ResultRef>)> {
    let texts = message.content.iter().filter(|block| matches!(block, ContentBlock::Text { .. })).count();
    let room = message_room(free) / texts.max(1);
    let at = compaction.session.now();
    let mut stored = Vec::new();
    for block in &mut message.content {
        let ContentBlock::Text { text } = block else { continue };
        let kept = compaction.frame.tools.results().ingest_message(text, room, at).await;
        let Ingested { text: shown, offloaded } = match kept {
            Ok(kept) => kept,
            Err(error) => {
                let fallback = "the message does not fit and is refused";
                compaction.session.degrade(compaction.turn, "result store", fallback, &error);
                return None;
            }
        };
        let Some(receipt) = offloaded else { continue };
        compaction.turn.sink.emit(Event::Notice(format!(
            "your message has {} bytes and does not fit the window: the model sees its start and its end, and reads the rest \
             by its reference, {}",
            group_thousands(receipt.bytes),
            receipt.stored
        )));
        compaction.session.record_decision(
            "accept",
            "the message is stored and shown in part",
            "it does not fit alone",
        );
        stored.push(receipt.stored.clone());
        compaction.session.note_offloaded([receipt]);
        *text = shown;
    }
    Some((message, stored))
}

/// Starts a turn with the message.
pub(crate) fn begin_turn(session: &mut Session, turn: &TurnContext<'_>, message: Message) {
    session.begin_turn();
    session.append_message(turn, message, Source::User);
}

/// Hides the groups that the message window no longer shows, and reports the message as accepted. The caller writes it.
pub(crate) fn finish_accepting(session: &mut Session, window: &mut Window, turn: &TurnContext<'_>) {
    if let Some(edit) = window_edit(session.view()) {
        match session.append(RecordBody::Edit(edit)) {
            Ok(()) => window.drop_anchor(),
            Err(error) => session.degrade(turn, "window", "older groups are shown, too", &error),
        }
    }
    session.record_key(None, KeyOutcome::Accepted);
    turn.sink.emit(Event::Accepted { exchange: session.exchange() });
}

fn has_content(block: &ContentBlock) -> bool {
    match block {
        ContentBlock::Text { text } => !text.trim().is_empty(),
        ContentBlock::Image(_) => true,
        ContentBlock::Thinking(_) | ContentBlock::ToolCall(_) | ContentBlock::ToolResult(_) => false,
    }
}
