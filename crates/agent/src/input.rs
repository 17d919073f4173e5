//! Taking the user's message into the session.

use throughline_continuity::{is_stop_note, stop_note};
use throughline_conversation::{ContentBlock, EditReason, Message, RecordBody, Role, Source};
use throughline_groups::window_edit;

use crate::compacting::{self, CompactError};
use crate::engine::{Engine, Wire};
use crate::error::TurnError;
use crate::event::Event;

/// Accepts a user's message: at the block level the view shrinks first, and a message that can never fit is
/// refused before it is in the log.
pub(crate) async fn accept(engine: &mut Engine, wire: &Wire<'_>, input: Message) -> Result<(), TurnError> {
    let input = Message { role: Role::User, content: input.content.into_iter().filter(says).collect() };
    if engine.measure().1.upper >= compacting::block_level(engine) {
        match compacting::force(engine, wire, EditReason::BlockThreshold).await {
            // The message is kept; the turn ends where it would have to compact again.
            Ok(()) | Err(TurnError::Compaction(CompactError::Stopped)) => {}
            Err(error) => return Err(error),
        }
    }
    let tokens = engine.parts.counter.message(&input);
    let alone = engine.meter.from_raw(engine.raw().fixed().saturating_add(tokens));
    if alone >= compacting::block_level(engine) {
        let what = "the message of the user alone".to_owned();
        return Err(compacting::does_not_fit(engine, engine.meter.from_raw(tokens), what));
    }
    seal(engine, wire);
    engine.exchange = engine.exchange.next();
    engine.turn += 1;
    engine.fresh_turn = true;
    let said = input.text();
    engine.say(wire, input, Source::User);
    engine.recall(wire, &said).await;
    narrow(engine, wire);
    wire.sink.emit(Event::Accepted { exchange: engine.exchange });
    engine.flush(wire).await;
    Ok(())
}

/// Hides the groups that the window does not show any more.
fn narrow(engine: &mut Engine, wire: &Wire<'_>) {
    let Some(edit) = window_edit(&engine.view) else { return };
    match engine.append(RecordBody::Edit(edit)) {
        Ok(()) => engine.meter.drop_anchor(),
        Err(error) => engine.degrade(wire, "window", "older groups are shown, too", &error),
    }
}

/// Answers calls that a crash or a cancel has left open, so that the transcript stays one that providers take.
pub(crate) fn seal(engine: &mut Engine, wire: &Wire<'_>) {
    let Some(message) = throughline_continuity::close_open_calls(&engine.view) else { return };
    engine.say(wire, message, Source::Engine);
}

/// Tells the model that the turn was stopped here.
pub(crate) fn note_stop(engine: &mut Engine, wire: &Wire<'_>) {
    if !was_stopped(engine) {
        engine.say(wire, stop_note(), Source::Engine);
    }
}

/// Whether nothing was said since a turn was stopped.
pub(crate) fn was_stopped(engine: &Engine) -> bool {
    engine.view.entries().last().is_some_and(is_stop_note)
}

fn says(block: &ContentBlock) -> bool {
    match block {
        ContentBlock::Text { text } => !text.trim().is_empty(),
        ContentBlock::Image(_) => true,
        ContentBlock::Thinking(_) | ContentBlock::ToolCall(_) | ContentBlock::ToolResult(_) => false,
    }
}
