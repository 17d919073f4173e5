//! The conversation of another agent, from its file or as a stored session.

use std::collections::HashMap;

use maud::Markup;
use throughline_conversation::{Record, RecordBody, Seq};
use throughline_stored::SessionLog;

use super::conversation::ConversationPage;
use super::transcript_overview::compaction_rows;
use crate::answer::Failure;
use crate::inspector::turn_rows;
use crate::params::Params;
use crate::transcripts::TranscriptPart;

/// The page of a conversation that the parameters name. `stored`: the log whose records the pages at `address` have; `None`: they have the
/// conversation's own.
pub(super) fn part_conversation(
    part: &TranscriptPart,
    stored: Option<&SessionLog>,
    address: &str,
    params: &Params,
) -> Result<Markup, Failure> {
    let turns = turn_rows(&part.log.groups(), &part.points);
    let compactions = compaction_rows(part);
    let page = ConversationPage {
        address,
        log: &part.log,
        points: &part.points,
        turns: &turns,
        compactions: &compactions,
        lost: &[],
        next: None,
        places: stored.map_or_else(HashMap::new, |stored| places(&part.log, stored)),
    };
    page.show(params)
}

/// The records of a stored log by those of the conversation that was made from it. Both have the same messages.
fn places(made: &SessionLog, stored: &SessionLog) -> HashMap<Seq, Seq> {
    let is_message = |record: &&Record| matches!(record.body, RecordBody::Message(_));
    let messages = |log: &'_ SessionLog| -> Vec<Seq> {
        log.records.iter().filter(is_message).map(|record| record.seq).collect()
    };
    messages(made).into_iter().zip(messages(stored)).collect()
}
