//! A list of messages in the parts that a session records: what the user says, what the model says, and all results of its
//! calls.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use throughline_conversation::{ContentBlock, Message, Role, normalize_message};

use super::digest::MessageDigest;
use crate::engine_error::EngineError;
use crate::input;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceKind {
    User,
    Assistant,
    Results,
}

impl PieceKind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Results => "results",
        }
    }
}

/// One part of the list.
#[derive(Debug, Clone)]
pub(crate) struct Piece<'m> {
    pub(crate) kind: PieceKind,
    /// Borrowed from the list where nothing has to be changed: almost all of a long list is known, and only compared.
    pub(crate) message: Cow<'m, Message>,
    /// The messages of the list that it is made of.
    pub(crate) given: Range<usize>,
    digest: OnceLock<MessageDigest>,
}

impl<'m> Piece<'m> {
    fn new(kind: PieceKind, message: Cow<'m, Message>, place: usize) -> Self {
        Self { kind, message, given: place..place + 1, digest: OnceLock::new() }
    }

    /// What it says. It is computed once, when all results of a step are in the piece.
    pub(crate) fn digest(&self) -> &MessageDigest {
        self.digest.get_or_init(|| MessageDigest::of(self.kind, &self.message))
    }
}

/// Splits the end of a list, which begins at the message `first`, behind a piece of this kind. Results of one message of the
/// model are one piece, in however many messages they come.
///
/// # Errors
/// [`EngineError::Message`] for the first message that cannot stand where it stands.
pub(crate) fn pieces(
    messages: &[Message],
    first: usize,
    behind: Option<PieceKind>,
) -> Result<Vec<Piece<'_>>, EngineError> {
    let mut pieces: Vec<Piece<'_>> = Vec::with_capacity(messages.len());
    for (place, message) in (first..).zip(messages) {
        let (results, said) = match message.role {
            Role::Assistant => (None, Some((PieceKind::Assistant, normalize_message(message)))),
            Role::User => (results(message), Some((PieceKind::User, input::cleaned(message)))),
        };
        let results = results.map(|results| (PieceKind::Results, results));
        for (kind, part) in results.into_iter().chain(said).filter(|(_, part)| !part.content.is_empty()) {
            push(&mut pieces, behind, part, kind, place)?;
        }
    }
    if let Some(open) = open_at_end(&pieces) {
        let place = first + messages.len().saturating_sub(1);
        return Err(refused(place, format!("call {open} has no result yet")));
    }
    Ok(pieces)
}

/// The results in a message of the user's side, if it has any.
fn results(message: &Message) -> Option<Cow<'_, Message>> {
    let count = message.tool_results().count();
    if count == message.content.len() {
        return Some(Cow::Borrowed(message));
    }
    let is_result = |block: &&ContentBlock| matches!(block, ContentBlock::ToolResult(_));
    let content = || message.content.iter().filter(is_result).cloned().collect();
    (count > 0).then(|| Cow::Owned(Message { role: Role::User, content: content() }))
}

fn push<'m>(
    pieces: &mut Vec<Piece<'m>>,
    behind: Option<PieceKind>,
    part: Cow<'m, Message>,
    kind: PieceKind,
    place: usize,
) -> Result<(), EngineError> {
    match (kind, pieces.last().map(|piece| piece.kind).or(behind)) {
        (PieceKind::Results, Some(PieceKind::Results)) => {
            let Some(last) = pieces.last_mut() else {
                let why = "the results of one message of the model come in two lists";
                return Err(EngineError::WholeList { place, why });
            };
            last.message.to_mut().content.extend(part.into_owned().content);
            last.given.end = place + 1;
            return Ok(());
        }
        (PieceKind::Results, Some(PieceKind::Assistant)) => {}
        (PieceKind::Results, _) => {
            return Err(refused(place, "a result stands behind no message of the model with calls"));
        }
        (PieceKind::Assistant, None) => return Err(refused(place, "the first message is the model's")),
        (PieceKind::Assistant, Some(PieceKind::Assistant)) => {
            return Err(refused(place, "two messages of the model follow each other"));
        }
        (PieceKind::Assistant | PieceKind::User, _) => {}
    }
    let open = if kind == PieceKind::Results { None } else { open_at_end(pieces) };
    if let Some(open) = open {
        return Err(refused(place, format!("call {open} of the message before has no result")));
    }
    pieces.push(Piece::new(kind, part, place));
    Ok(())
}

/// A call that waits for its result behind the last piece.
fn open_at_end(pieces: &[Piece<'_>]) -> Option<String> {
    match pieces {
        [.., calls, results] if results.kind == PieceKind::Results => open_call(calls, Some(results)),
        [.., last] => open_call(last, None),
        [] => None,
    }
}

/// A call of a message of the model that these results do not answer.
fn open_call(calls: &Piece<'_>, results: Option<&Piece<'_>>) -> Option<String> {
    let answered = |id: &str| {
        results.is_some_and(|piece| piece.message.tool_results().any(|result| result.call_id == id))
    };
    calls.message.tool_calls().find(|call| !answered(&call.id)).map(|call| call.id.clone())
}

fn refused(place: usize, why: impl Into<String>) -> EngineError {
    EngineError::Message { place, why: why.into() }
}
