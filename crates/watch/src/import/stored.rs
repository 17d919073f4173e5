//! What a session holds of a transcript.

use throughline_conversation::{
    ContentBlock, ExchangeId, Message, Record, RecordBody, ResultRef, Role, SessionId,
};

use super::messages::Imported;

/// The first exchange that Throughline has worked in.
pub(super) fn first_own(records: &[Record]) -> Option<ExchangeId> {
    let is_own = |record: &&Record| matches!(record.body, RecordBody::Receipt(_));
    records.iter().find(is_own).map(|record| record.exchange)
}

/// The messages that a session has of a transcript.
pub(super) fn known(records: &[Record], own: Option<ExchangeId>) -> Vec<&Message> {
    let imported = records.iter().filter(|record| own.is_none_or(|own| record.exchange < own));
    imported
        .filter_map(|record| match &record.body {
            RecordBody::Message(record) => Some(&record.message),
            _ => None,
        })
        .collect()
}

/// Returns true if a session holds a transcript and nothing else.
pub(super) fn is_mirror(records: &[Record]) -> bool {
    records.iter().all(|record| matches!(record.body, RecordBody::Message(_) | RecordBody::Model(_)))
}

/// Where the last answer and its results begin. A transcript that is still written may complete them.
pub(super) fn last_step(known: &[&Message]) -> usize {
    known.iter().rposition(|message| message.role == Role::Assistant).unwrap_or(known.len())
}

/// The first place at which a transcript and the messages of a session differ.
pub(super) fn first_difference(
    session: &SessionId,
    messages: &[Imported],
    known: &[&Message],
) -> Option<usize> {
    messages.iter().zip(known).position(|(message, known)| !is_same(session, &message.message, known))
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
