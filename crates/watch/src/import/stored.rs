//! What a session holds of a transcript.

use std::collections::BTreeSet;

use throughline_conversation::{
    ContentBlock, ExchangeId, GroupStatus, Groups, Mark, Message, Record, RecordBody, RemovedRecord,
    ResultRef, Role, SessionId,
};

use super::messages::Imported;

/// What a removed record was that had a message.
const MESSAGE: &str = "message";

/// What a session holds of a transcript.
#[derive(Debug)]
pub(super) struct StoredTranscript<'r> {
    records: &'r [Record],
    /// The first exchange that Throughline has worked in.
    own: Option<ExchangeId>,
    /// The records of its messages before that, also of those whose content the user has removed.
    messages: Vec<&'r Record>,
    groups: Groups,
}

/// How a transcript continues what a session holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// It has everything.
    Continued,
    /// From this message on, it completes what was still written.
    Completed(usize),
    /// It has another message than this one.
    Other(usize),
}

impl<'r> StoredTranscript<'r> {
    pub(super) fn of(records: &'r [Record]) -> Self {
        let is_own = |record: &&Record| matches!(record.body, RecordBody::Receipt(_));
        let own = records.iter().find(is_own).map(|record| record.exchange);
        let imported = records.iter().filter(|record| own.is_none_or(|own| record.exchange < own));
        let marks = records.iter().filter_map(|record| match &record.body {
            RecordBody::Mark(mark) => Some(mark),
            _ => None,
        });
        let messages = imported.filter(|record| is_message(record)).collect();
        Self { records, own, messages, groups: Groups::from_marks(marks) }
    }

    /// The records of its messages.
    pub(super) fn messages(&self) -> &[&'r Record] {
        &self.messages
    }

    /// Returns true if Throughline has worked in the session.
    pub(super) fn has_own(&self) -> bool {
        self.own.is_some()
    }

    /// The exchanges whose content the user has removed.
    pub(super) fn removed(&self) -> BTreeSet<ExchangeId> {
        let removed = |(_, status): &(ExchangeId, GroupStatus)| *status == GroupStatus::Removed;
        self.groups.hidden().filter(removed).map(|(exchange, _)| exchange).collect()
    }

    /// The exchanges that the user has hidden or removed, of which all messages are before this one.
    pub(super) fn hidden_before(&self, at: usize) -> impl Iterator<Item = (ExchangeId, GroupStatus)> + '_ {
        let open = self.messages.get(at).map(|record| record.exchange);
        let end = open.into_iter().chain(self.own).min();
        self.groups.hidden().filter(move |(exchange, _)| end.is_none_or(|end| *exchange < end))
    }

    /// How a transcript with these messages continues it.
    pub(super) fn fit(&self, session: &SessionId, messages: &[Imported]) -> Fit {
        let pairs = || self.messages.iter().zip(messages);
        let differs = |(known, new): (&&Record, &Imported)| {
            said(known).is_some_and(|known| !is_same(session, &new.message, known))
        };
        let Some(at) = pairs().position(differs) else { return Fit::Continued };
        let completes = |(known, new): (&&Record, &Imported)| {
            said(known).is_none_or(|known| is_completed(known, &new.message))
        };
        let is_open = !self.has_own()
            && self.records.iter().all(|record| is_of_transcript(record) || is_choice(record))
            && at >= self.last_step()
            && messages.len() >= self.messages.len();
        if is_open && pairs().skip(at).all(completes) { Fit::Completed(at) } else { Fit::Other(at) }
    }

    /// Where the last answer and its results begin. A transcript that is still written may complete them.
    fn last_step(&self) -> usize {
        let is_answer = |record: &&Record| said(record).is_some_and(|said| said.role == Role::Assistant);
        self.messages.iter().rposition(is_answer).unwrap_or(self.messages.len())
    }
}

/// Returns true if records hold a transcript, and otherwise only what changes none of its messages.
pub(super) fn is_mirror(records: &[Record]) -> bool {
    records.iter().all(is_of_transcript)
}

/// A record without a removed message's content.
pub(super) fn removed_message() -> RecordBody {
    RecordBody::Removed(RemovedRecord { was: MESSAGE.to_owned() })
}

fn is_of_transcript(record: &Record) -> bool {
    match &record.body {
        RecordBody::Message(_)
        | RecordBody::ForeignRequest(_)
        | RecordBody::Model(_)
        | RecordBody::Document(_)
        | RecordBody::Keyed(_) => true,
        RecordBody::Mark(mark) => matches!(mark, Mark::Pin(_) | Mark::Unpin { .. }),
        _ => false,
    }
}

/// Returns true for what users choose of a session: what is shown, and what is removed.
fn is_choice(record: &Record) -> bool {
    matches!(record.body, RecordBody::Mark(_) | RecordBody::Removed(_))
}

fn is_message(record: &Record) -> bool {
    match &record.body {
        RecordBody::Message(_) => true,
        RecordBody::Removed(removed) => removed.was == MESSAGE,
        _ => false,
    }
}

/// The message of a record. `None`: it is removed, and any message takes its place.
fn said(record: &Record) -> Option<&Message> {
    match &record.body {
        RecordBody::Message(said) => Some(&said.message),
        _ => None,
    }
}

/// Returns true if two messages are the same. A result that is stored elsewhere is known by its reference.
fn is_same(session: &SessionId, message: &Message, known: &Message) -> bool {
    message.role == known.role
        && message.content.len() == known.content.len()
        && message.content.iter().zip(&known.content).all(|pair| match pair {
            (ContentBlock::ToolResult(result), ContentBlock::ToolResult(known)) => {
                let stored = || ResultRef::of(session, result.content.as_bytes());
                result.call_id == known.call_id
                    && (result.content == known.content || known.content.contains(stored().as_str()))
            }
            (block, known) => block == known,
        })
}

/// Returns true if a message may be what became of one that was still written: an answer has grown. Results and an open request say
/// nothing that is lost.
fn is_completed(known: &Message, message: &Message) -> bool {
    let grows = |(known, new): (&ContentBlock, &ContentBlock)| match (known, new) {
        (ContentBlock::Text { text: known }, ContentBlock::Text { text: new }) => new.starts_with(known),
        (ContentBlock::ToolCall(known), ContentBlock::ToolCall(new)) => known.id == new.id,
        (ContentBlock::Thinking(_), ContentBlock::Thinking(_)) => true,
        (known, new) => known == new,
    };
    known.role == message.role
        && (known.role == Role::User
            || known.content.len() <= message.content.len()
                && known.content.iter().zip(&message.content).all(grows))
}
