//! What the session has of the list: one row for each piece that was taken over.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use throughline_continuity::{LogError, MessageLog, Part, read_all};
use throughline_conversation::{
    Action, ContentBlock, EditReason, EntryKind, Message, RecordBody, ResultRef, Seq, SessionId, Source,
    Span, ToolResult, Usage, View, normalize_message,
};

use super::digest::{MessageDigest, compared};
use super::given_results::GivenResults;
use super::is_compared;
use super::pieces::{Piece, PieceKind};
use crate::picture_check::{SortedPictures, sort_pictures};

/// A message that the session has.
#[derive(Debug, Clone)]
pub(crate) struct KnownMessage {
    pub(crate) kind: PieceKind,
    /// Its records.
    pub(crate) span: Span,
    /// The digest of the given message; `None` until it is compared for the first time in this run.
    pub(crate) digest: Option<MessageDigest>,
    /// The recorded message, until then.
    pub(crate) recorded: Option<Arc<Message>>,
    /// Its messages in the caller's list. `None`: no list of this run had it yet. Those come behind all others.
    pub(crate) given: Option<Range<usize>>,
    /// The message of the view that it was compared with first, and whether that says the same.
    pub(crate) shown: OnceLock<(Arc<Message>, bool)>,
}

/// The messages that the session has, in the order of the list.
#[derive(Debug, Default)]
pub(crate) struct KnownMessages {
    pub(crate) messages: Vec<KnownMessage>,
    pub(crate) is_loaded: bool,
    /// Usage of the answer that the next list has.
    pub(crate) usage: Option<Usage>,
}

impl KnownMessages {
    /// The messages of a log, without those of hidden groups and those that were hidden by an earlier list.
    pub(crate) async fn of_log(
        log: &dyn MessageLog,
        session: &SessionId,
        view: &View,
    ) -> Result<Self, LogError> {
        let page = read_all(log, session, Seq(0), Part::All).await?;
        let mut messages: Vec<KnownMessage> = Vec::new();
        for record in page.records {
            match record.body {
                RecordBody::Message(said) => {
                    let kind = match said.source {
                        Source::User => PieceKind::User,
                        Source::Model(_) => PieceKind::Assistant,
                        Source::Tools => PieceKind::Results,
                        // That a call was cut off stands where the list has the call's own result.
                        Source::Engine if said.message.tool_results().next().is_some() => PieceKind::Results,
                        Source::Engine => continue,
                    };
                    let said = normalize_message(&said.message).into_owned();
                    // A list has no piece for a message that says nothing.
                    if said.content.is_empty() || view.groups().status(record.exchange).is_hidden() {
                        continue;
                    }
                    messages.push(KnownMessage {
                        kind,
                        span: Span::one(record.seq),
                        digest: None,
                        recorded: Some(Arc::new(said)),
                        given: None,
                        shown: OnceLock::new(),
                    });
                }
                RecordBody::Edit(edit) if edit.reason == EditReason::Rewound => {
                    for action in &edit.actions {
                        let Action::Cover { span, .. } = action else { continue };
                        messages.retain(|message| !span.holds(message.span));
                    }
                }
                _ => {}
            }
        }
        Ok(Self { messages, is_loaded: true, usage: None })
    }

    /// The messages as the model sees them.
    pub(crate) fn of_view(view: &View) -> Self {
        let messages = view.entries().iter().map(|entry| {
            let kind = match entry.kind {
                EntryKind::Assistant => PieceKind::Assistant,
                EntryKind::Results => PieceKind::Results,
                EntryKind::User | EntryKind::Summary | EntryKind::Notice => PieceKind::User,
            };
            let digest = Some(MessageDigest::of(kind, &entry.message));
            KnownMessage {
                kind,
                span: entry.span,
                digest,
                recorded: None,
                given: None,
                shown: OnceLock::new(),
            }
        });
        Self { messages: messages.collect(), is_loaded: true, usage: None }
    }

    /// The message of these records. The messages are in the order of their records.
    pub(crate) fn at(&self, span: Span) -> Option<&KnownMessage> {
        let place = self.messages.binary_search_by_key(&span.first, |message| message.span.first).ok()?;
        self.messages.get(place).filter(|message| message.span == span)
    }

    /// Notes where the known messages are in this list.
    pub(crate) fn place(&mut self, pieces: &[Piece<'_>]) {
        for (message, piece) in self.messages.iter_mut().zip(pieces) {
            message.given = Some(piece.given.clone());
        }
    }
}

/// How many pieces at the start of the list the session has.
pub(crate) fn known_length(known: &mut [KnownMessage], pieces: &[Piece<'_>], session: &SessionId) -> usize {
    let (mut before, mut length) = (None, 0);
    for (known, piece) in known.iter_mut().zip(pieces) {
        if !known.is(piece, before, session) {
            break;
        }
        before = Some(piece);
        length += 1;
    }
    length
}

impl KnownMessage {
    /// Returns true if this message of the view says what was given. A message of the view is compared once.
    pub(crate) fn is_shown_by(&self, message: &Arc<Message>) -> bool {
        let compare = || self.digest.as_ref() == Some(&MessageDigest::of(self.kind, message));
        // A message without a digest was not given yet.
        if self.digest.is_none() {
            return false;
        }
        let (first, same) = self.shown.get_or_init(|| (Arc::clone(message), compare()));
        if Arc::ptr_eq(first, message) { *same } else { compare() }
    }

    /// Returns true if this is the piece of the list behind `before`.
    fn is(&mut self, piece: &Piece<'_>, before: Option<&Piece<'_>>, session: &SessionId) -> bool {
        if self.kind != piece.kind {
            return false;
        }
        if let Some(digest) = &self.digest {
            return digest == piece.digest();
        }
        let same = self.recorded.as_ref().is_some_and(|recorded| match piece.kind {
            PieceKind::Results => same_results(recorded, &GivenResults::of(&piece.message, before), session),
            PieceKind::User | PieceKind::Assistant => says(recorded, &piece.message, session),
        });
        if same {
            (self.digest, self.recorded) = (Some(piece.digest().clone()), None);
        }
        same
    }
}

/// Returns true if a recorded message says what a given one says: a large text is recorded as its reference, and a call of an
/// id that was in use has another one.
fn says(recorded: &Message, given: &Message, session: &SessionId) -> bool {
    let (mine, theirs) = (blocks(recorded), blocks(given));
    mine.len() == theirs.len()
        && mine.iter().zip(&theirs).all(|(mine, theirs)| same_block(mine, theirs, session))
}

/// Returns true if the recorded results, which are in the order of their calls, are those of the list.
fn same_results(recorded: &Message, given: &GivenResults<'_>, session: &SessionId) -> bool {
    let same = |(place, mine): (usize, &ToolResult)| {
        given.result_of(place, &mine.call_id).is_some_and(|theirs| same_result(mine, theirs, session))
    };
    recorded.tool_results().count() == given.len() && recorded.tool_results().enumerate().all(same)
}

/// Returns true if the recorded result is what is recorded of the given one.
fn same_result(mine: &ToolResult, theirs: &ToolResult, session: &SessionId) -> bool {
    let SortedPictures { shown, notes, rejected } = sort_pictures(theirs.images.clone());
    // Each picture that was made smaller or cannot be shown has a line at the end.
    let mut text = mine.content.as_str();
    for _ in 0..notes.len() + rejected.len() {
        text = text.rsplit_once('\n').map_or("", |(before, _)| before);
    }
    let is_blank = theirs.content.trim().is_empty();
    let said = if is_blank && notes.is_empty() && rejected.is_empty() {
        "[no output]"
    } else {
        theirs.content.as_str()
    };
    let same_text = if is_blank { text == said.trim() } else { is_stored(text, said, session) };
    mine.is_error == theirs.is_error && mine.images == shown && same_text
}

/// Returns true if this is shown of a text: all of it, or its reference.
fn is_stored(shown: &str, whole: &str, session: &SessionId) -> bool {
    shown == whole || shown.contains(&ResultRef::of(session, whole.as_bytes()).to_string())
}

fn blocks(message: &Message) -> Vec<&ContentBlock> {
    message.content.iter().filter(|block| is_compared(block)).collect()
}

fn same_block(mine: &ContentBlock, theirs: &ContentBlock, session: &SessionId) -> bool {
    match (mine, theirs) {
        (ContentBlock::Text { text: mine }, ContentBlock::Text { text: theirs }) => {
            is_stored(mine, theirs, session)
        }
        (ContentBlock::ToolCall(mine), ContentBlock::ToolCall(theirs)) => {
            mine.name == theirs.name && mine.input == theirs.input
        }
        (mine, theirs) => compared(mine) == compared(theirs),
    }
}
