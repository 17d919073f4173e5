//! Finds the texts that a user pins, and the mark that removes a pin.

use throughline_conversation::{
    ExchangeId, GroupStatus, Mark, MessageRecord, Pin, PinnedText, Record, RecordBody, Seq,
};

use crate::change::status;
use crate::error::GroupError;
use crate::listing::marks;

/// What a user pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PinTarget {
    /// Every text and result of a group.
    Group(ExchangeId),
    /// A part of a message: the record, and the index of the block.
    Part(Seq, usize),
}

/// The pin of a target, or of a span of text in it: the first text of the target that contains it.
///
/// # Errors
/// [`GroupError`] if there is no such group or part, it is hidden, it cannot be pinned, or it is pinned already.
pub fn pin(records: &[Record], target: PinTarget, span: Option<&str>) -> Result<Pin, GroupError> {
    let (exchange, mut texts) = found(records, target)?;
    match status(records, exchange)? {
        GroupStatus::Live => {}
        GroupStatus::Removed => {
            let hint = "its content is permanently deleted";
            return Err(GroupError::Is { exchange, status: GroupStatus::Removed, hint });
        }
        status => return Err(GroupError::Is { exchange, status, hint: "restore it before you pin it" }),
    }
    if let Some(span) = span {
        if span.trim().is_empty() {
            return Err(GroupError::NothingToPin("the text is empty".to_owned()));
        }
        texts.retain(|pinned| pinned.text.contains(span));
        texts.truncate(1);
        texts.iter_mut().for_each(|pinned| span.clone_into(&mut pinned.text));
        if texts.is_empty() {
            let why = "the text does not occur there; write it exactly as `messages show` prints it";
            return Err(GroupError::NothingToPin(why.to_owned()));
        }
    }
    if texts.is_empty() {
        let why = "it has neither a text nor a result; calls, thinking and pictures cannot be pinned";
        return Err(GroupError::NothingToPin(why.to_owned()));
    }
    let known = marks(records);
    if let Some(same) = known.pins().iter().find(|pin| texts.iter().all(|text| pin.texts.contains(text))) {
        return Err(GroupError::Pinned(same.number));
    }
    Ok(Pin { number: next_number(records), exchange, texts })
}

/// The group of a target, and the texts that can be pinned of it.
fn found(records: &[Record], target: PinTarget) -> Result<(ExchangeId, Vec<PinnedText>), GroupError> {
    match target {
        PinTarget::Group(exchange) => {
            let own = records.iter().filter(|record| record.exchange == exchange);
            let texts = own.filter_map(|record| Some(Pin::texts_of(record.seq, message(record)?)));
            Ok((exchange, texts.flatten().collect()))
        }
        PinTarget::Part(seq, part) => {
            let none = || {
                GroupError::NothingToPin("no message has this id; `messages show` prints the ids".to_owned())
            };
            let record = records.iter().find(|record| record.seq == seq).ok_or_else(none)?;
            let block = message(record).ok_or_else(none)?.message.content.get(part).ok_or_else(none)?;
            Ok((record.exchange, PinnedText::of_block(seq, block).into_iter().collect()))
        }
    }
}

fn message(record: &Record) -> Option<&MessageRecord> {
    match &record.body {
        RecordBody::Message(message) => Some(message),
        _ => None,
    }
}

/// A number that no pin has had.
fn next_number(records: &[Record]) -> u32 {
    let used = records.iter().filter_map(|record| match &record.body {
        RecordBody::Mark(Mark::Pin(pin)) => Some(pin.number),
        RecordBody::Mark(Mark::Unpin { number }) => Some(*number),
        _ => None,
    });
    used.max().unwrap_or(0).saturating_add(1)
}

/// The mark that removes a pin.
pub(crate) fn unpin(records: &[Record], asked: u32) -> Result<Mark, GroupError> {
    let pins: Vec<u32> = marks(records).pins().iter().map(|pin| pin.number).collect();
    match pins.contains(&asked) {
        true => Ok(Mark::Unpin { number: asked }),
        false => Err(GroupError::NoPin { asked, pins }),
    }
}

#[cfg(test)]
mod tests;
