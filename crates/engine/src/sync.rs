//! Taking over the list of messages that a framework owns and hands over before each call of its model.
//!
//! The longest known start of the list is found by digest. What follows it is appended; what the session has and the list
//! no longer has is hidden by a recorded edit. A list that was made of an earlier request, as some frameworks hand it back,
//! is recognized by the view. The same list again changes nothing.
//!
//! The newest turn of a list is reported like one that begins with [`user`](Operation::user): as begun with its message of the
//! user, and as ended with the answer that calls no tool. Turns before it ran elsewhere and are not reported.

mod digest;
mod given_results;
mod known;
mod pieces;
mod references;
mod rewind;
mod turn_events;

use std::sync::{Arc, OnceLock};

use throughline_completion::{Answer, AnswerDetails, StopReason};
use throughline_conversation::{ContentBlock, Message, Source, Span, ToolCall, ToolResult, Usage};
use throughline_tools::ToolOutput;

use crate::engine::ContextEngine;
use crate::engine_error::EngineError;
use crate::operation::Operation;
use crate::stage::Stage;
use crate::steps::{record_answer, settle_call};
use given_results::GivenResults;
pub(crate) use known::KnownMessages;
use known::{KnownMessage, known_length};
pub(crate) use pieces::PieceKind;
use pieces::{Piece, pieces};
pub use references::MessageRef;

/// What a list has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Synced {
    /// Messages at the start of the list that the session had already.
    pub known: usize,
    /// Messages that were appended.
    pub appended: usize,
    /// Records that are hidden, because the list does not have their messages any more.
    pub hidden: usize,
}

impl Operation<'_> {
    /// Takes over a list of messages: the whole conversation as its owner has it. A request that is open is answered by the
    /// first new message of the model, or given up.
    ///
    /// # Errors
    /// [`EngineError::Message`] if the list is not a conversation; then nothing has changed. [`EngineError::Turn`] if a message
    /// cannot fit the window; the messages before it are taken over.
    pub async fn sync(&mut self, messages: &[Message]) -> Result<Synced, EngineError> {
        let pieces = pieces(messages, 0, None)?;
        self.load_known().await?;
        let ContextEngine { known, state, .. } = &mut *self.engine;
        let (id, view) = (state.session.id(), state.session.view());
        let mut same = known_length(&mut known.messages, &pieces, id);
        if view.entries().len() > same {
            let mut shown = KnownMessages::of_view(view);
            let in_view = known_length(&mut shown.messages, &pieces, id);
            if in_view > same && in_view == shown.messages.len() {
                // The list is the engine's own view, handed back.
                (*known, same) = (shown, in_view);
            }
        }
        self.engine.known.place(&pieces);
        self.append_pieces(same, 0, &pieces, messages.len()).await
    }

    /// The same for a list whose first `known` messages are those of the list before: only the messages behind them are looked
    /// at, so the cost does not grow with the session. With 0 it is the whole list.
    ///
    /// # Errors
    /// As [`sync`](Self::sync); also [`EngineError::WholeList`] if the list before has fewer messages or ends in the middle of
    /// the results of one step, if the change reaches into what was compacted, or if this run has seen no list yet.
    pub async fn sync_tail(&mut self, known: usize, tail: &[Message]) -> Result<Synced, EngineError> {
        if known == 0 {
            return self.sync(tail).await;
        }
        self.load_known().await?;
        let messages = &self.engine.known.messages;
        let end = |message: &KnownMessage| message.given.as_ref().map(|given| given.end);
        let same = messages.partition_point(|message| end(message).is_some_and(|end| end <= known));
        let last = same.checked_sub(1).and_then(|last| messages.get(last));
        if last.and_then(end).unwrap_or(0) != known {
            let why = "the list before does not end a message here";
            return Err(EngineError::WholeList { place: known, why });
        }
        let pieces = pieces(tail, known, last.map(|message| message.kind))?;
        self.continue_with_tail(same, &pieces, known + tail.len()).await
    }

    /// Stores the result of a call, if it is large, before the caller's list has it. Returns the result that the list is to have; the
    /// list may also have the whole one, which is then shown the same.
    pub async fn offload(&mut self, call: &ToolCall, output: ToolOutput) -> ToolResult {
        let (settled, offloaded) = settle_call(&mut self.step(), call, output).await;
        self.engine.state.session.note_offloaded(offloaded);
        settled
    }

    /// Compares the pieces behind the known ones, and continues with the first that differs. `length`: messages of the whole list.
    async fn continue_with_tail(
        &mut self,
        same: usize,
        pieces: &[Piece<'_>],
        length: usize,
    ) -> Result<Synced, EngineError> {
        let ContextEngine { known, state, .. } = &mut *self.engine;
        let rest = known.messages.get_mut(same..).unwrap_or_default();
        let more = known_length(rest, pieces, state.session.id());
        for (message, piece) in rest.iter_mut().zip(pieces).take(more) {
            message.given = Some(piece.given.clone());
        }
        let before = same + more;
        if before < self.engine.known.messages.len() && more < pieces.len() {
            // What the cut takes with it stands before the tail: only the whole list has it.
            let cut = self.cut(before);
            if cut.stay < same {
                let why = "the change reaches into what was compacted";
                return Err(EngineError::WholeList { place: cut.stay, why });
            }
        }
        self.append_pieces(before, same, pieces, length).await
    }

    /// Hides what the list does not have from the piece `same` on, and appends what is new. The list begins at the known piece
    /// `first` and has `length` messages.
    async fn append_pieces(
        &mut self,
        same: usize,
        first: usize,
        pieces: &[Piece<'_>],
        length: usize,
    ) -> Result<Synced, EngineError> {
        let (mut stay, mut hidden) = (same, 0);
        if same < self.engine.known.messages.len() {
            (stay, hidden) = self.rewind(same)?;
        }
        let new = pieces.get(stay.saturating_sub(first)..).unwrap_or_default();
        // Where the list has other messages than the request was made of, nothing in it answers the request.
        let answers = hidden == 0 && new.first().is_some_and(|piece| piece.kind == PieceKind::Assistant);
        // The same list, after the summary that it needs was given or declined, continues what waits for that.
        let continues = new.is_empty() && hidden == 0 && matches!(self.engine.stage, Stage::Summarizing(_));
        if !answers && !continues {
            self.engine.abandon();
        }
        // If the future is dropped here, the session has more than is known: the log is read again.
        self.engine.known.is_loaded = false;
        let taken = self.take_all(pieces, stay.saturating_sub(first)).await;
        self.engine.known.is_loaded = true;
        // Without an answer to the open request it belongs to none.
        self.engine.known.usage = None;
        taken?;
        let appended = match new {
            [first, .., last] => last.given.end - first.given.start,
            [one] => one.given.len(),
            [] => 0,
        };
        Ok(Synced { known: length - appended, appended, hidden })
    }

    /// Takes over the pieces from this one on.
    async fn take_all(&mut self, pieces: &[Piece<'_>], from: usize) -> Result<(), EngineError> {
        let newest_turn = pieces.iter().rposition(|piece| piece.kind == PieceKind::User);
        for (place, piece) in pieces.iter().enumerate().skip(from) {
            let before = place.checked_sub(1).and_then(|before| pieces.get(before));
            if newest_turn == Some(place) {
                self.report_listed_begin(&piece.message);
            }
            let taken = self.take(piece, before).await;
            self.report_listed_end(piece, &taken);
            taken?;
        }
        self.flush().await;
        Ok(())
    }

    /// Reads what the session has of earlier runs, once.
    async fn load_known(&mut self) -> Result<(), EngineError> {
        if self.engine.known.is_loaded {
            return Ok(());
        }
        self.flush().await;
        let session = &self.engine.state.session;
        let log = session.log();
        let loaded = KnownMessages::of_log(log.as_ref(), session.id(), session.view()).await?;
        self.engine.known = KnownMessages { usage: self.engine.known.usage.take(), ..loaded };
        Ok(())
    }

    async fn take(&mut self, piece: &Piece<'_>, before: Option<&Piece<'_>>) -> Result<(), EngineError> {
        match piece.kind {
            PieceKind::User => self.accept(Message::clone(&piece.message)).await?,
            PieceKind::Assistant => self.take_answer(&piece.message).await?,
            PieceKind::Results => self.take_results(piece, before).await?,
        }
        let span = self.engine.newest_span();
        self.engine.known.messages.push(KnownMessage {
            kind: piece.kind,
            span,
            digest: Some(piece.digest().clone()),
            recorded: None,
            given: Some(piece.given.clone()),
            shown: OnceLock::new(),
        });
        Ok(())
    }

    /// A message of the model: the answer to the open request, or one that was written elsewhere.
    async fn take_answer(&mut self, message: &Message) -> Result<(), EngineError> {
        if let Stage::Asked(open) = &self.engine.stage {
            let id = open.id;
            let calls = message.tool_calls().next().is_some();
            let stop = if calls { StopReason::ToolUse } else { StopReason::EndTurn };
            let (details, usage) = (AnswerDetails::default(), self.engine.known.usage.take());
            let answer = Answer { message: message.clone(), stop, usage, details };
            self.follow_needs(&answer).await;
            let open = self.take_request(id)?;
            record_answer(open, answer, &mut self.step())?;
            self.flush().await;
            return Ok(());
        }
        self.engine.stage = Stage::Idle;
        let Operation { engine, turn } = self;
        let state = &mut engine.state;
        state.session.follow_needs(turn, message, state.model.info.prices).await;
        let message = state.session.with_own_ids(message);
        state.session.append_message(turn, message, state.model.source());
        Ok(())
    }

    async fn take_results(
        &mut self,
        piece: &Piece<'_>,
        before: Option<&Piece<'_>>,
    ) -> Result<(), EngineError> {
        let calls = self.engine.newest_calls();
        if calls.is_empty() {
            let why = "its calls have their results already".to_owned();
            return Err(EngineError::Message { place: piece.given.start, why });
        }
        let given = GivenResults::of(&piece.message, before);
        let found = calls.iter().enumerate().map(|(place, call)| (call, given.result_of(place, &call.id)));
        let found: Vec<_> = found.collect();
        if let Some((open, _)) = found.iter().find(|(_, result)| result.is_none()) {
            let why = format!("call {} has no result yet", open.id);
            return Err(EngineError::Message { place: piece.given.start, why });
        }
        let mut results = Vec::new();
        for (call, result) in found {
            let Some(result) = result else { continue };
            let output = ToolOutput {
                bytes: result.content.clone().into_bytes(),
                images: result.images.clone(),
                is_error: result.is_error,
                ..ToolOutput::default()
            };
            let name = call.name.clone();
            self.engine.state.tools.mark_used(&name, self.engine.state.session.turn());
            results.push(self.offload(call, output).await);
        }
        let Operation { engine, turn } = self;
        engine.state.session.append_message(turn, Message::results(results), Source::Tools);
        Ok(())
    }
}

impl ContextEngine {
    /// Usage of the model's newest message, as its provider reported it: it belongs to the answer that the next list brings for
    /// the open request, and to nothing if that list brings none.
    pub fn note_usage(&mut self, usage: Usage) {
        self.known.usage = Some(usage);
    }

    /// Notes that the newest message of the view was handed over by itself. It is in the caller's next list.
    pub(crate) fn note_known(&mut self, kind: PieceKind) {
        if !self.known.is_loaded {
            return;
        }
        let Some(entry) = self.view().native().last() else { return };
        let recorded = Some(Arc::clone(&entry.message));
        let span = entry.span;
        self.known.messages.push(KnownMessage {
            kind,
            span,
            digest: None,
            recorded,
            given: None,
            shown: OnceLock::new(),
        });
    }

    /// The record of the newest message of the view.
    fn newest_span(&self) -> Span {
        let view = self.view();
        view.native().last().map_or(Span::one(view.last()), |entry| entry.span)
    }

    /// The calls of the newest message of the model, which wait for results.
    fn newest_calls(&self) -> Vec<ToolCall> {
        let newest = self.view().native().last();
        newest.map(|entry| entry.message.tool_calls().cloned().collect()).unwrap_or_default()
    }
}

/// Returns true if a block says something to compare.
fn is_compared(block: &ContentBlock) -> bool {
    !matches!(block, ContentBlock::Thinking(_))
}
