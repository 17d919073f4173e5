//! What can happen to a session.

use proptest::prelude::*;
use throughline_conversation::ExchangeId;
use throughline_groups::Change;

/// What one answer of the model does.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Calls tools side by side, with results of this many words.
    Echo(Vec<usize>),
    /// Writes the scratchpad by its tool, whole or at its end.
    Scratchpad(bool),
    /// Writes the scratchpad and STATE by signals in the text, and continues to work.
    Signals,
    /// Saves a memo.
    Memo,
}

/// What the model's last answer of a turn says about documents.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Last {
    Nothing,
    Scratchpad,
    State,
    /// A signal that cannot be taken.
    Malformed,
}

#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// A user's message of this many words.
    Turn(usize, Vec<Step>, Last),
    /// A turn that the user cancels at once.
    Cancelled,
    /// A turn that the user stops in the middle of an answer.
    Stopped,
    /// The model answers with an error that quotes the request.
    Refused,
    /// The answer breaks off in the middle, and comes whole when it is asked for again.
    BreaksOff,
    /// The provider says that the request is too long.
    Overflow,
    /// A compaction; the summarizer may fail.
    Compact(bool),
    /// A compaction that the caller stops waiting for.
    CompactDropped,
    Change(Change),
    /// A turn is pinned, or this many characters of a text in it.
    Pin(ExchangeId, Option<usize>),
    /// A turn is deleted permanently.
    Delete(ExchangeId),
    Switch(usize),
    /// The session is closed, or just dropped, and opened again.
    Resume(bool),
    LoseSnapshot,
}

pub(crate) fn acts() -> impl Strategy<Value = Vec<Act>> {
    let sizes = prop::collection::vec(prop_oneof![1..100_usize, 150..500_usize, Just(900)], 1..4);
    let step = prop_oneof![
        8 => sizes.prop_map(Step::Echo),
        2 => any::<bool>().prop_map(Step::Scratchpad),
        2 => Just(Step::Signals),
        1 => Just(Step::Memo),
    ];
    let last = prop_oneof![
        4 => Just(Last::Nothing),
        2 => Just(Last::Scratchpad),
        2 => Just(Last::State),
        1 => Just(Last::Malformed),
    ];
    let turn = (1..30_usize, prop::collection::vec(step, 0..6), last)
        .prop_map(|(words, steps, last)| Act::Turn(words, steps, last));
    let act = prop_oneof![
        12 => turn,
        1 => Just(Act::Cancelled),
        2 => Just(Act::Stopped),
        1 => Just(Act::Refused),
        1 => Just(Act::BreaksOff),
        1 => Just(Act::Overflow),
        3 => any::<bool>().prop_map(Act::Compact),
        1 => Just(Act::CompactDropped),
        8 => change().prop_map(Act::Change),
        5 => (group(), prop::option::of(1..60_usize)).prop_map(|(group, span)| Act::Pin(group, span)),
        2 => group().prop_map(Act::Delete),
        1 => (0..3_usize).prop_map(Act::Switch),
        3 => any::<bool>().prop_map(Act::Resume),
        1 => Just(Act::LoseSnapshot),
    ];
    prop::collection::vec(act, 2..18)
}

fn group() -> impl Strategy<Value = ExchangeId> {
    (1..8_u64).prop_map(ExchangeId)
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => Just(Change::Undo),
        3 => Just(Change::Redo),
        2 => group().prop_map(Change::Drop),
        2 => group().prop_map(Change::Restore),
        2 => Just(Change::UndoCompaction),
        2 => Just(Change::RedoCompaction),
        2 => prop::option::of(1..4_u32).prop_map(Change::Window),
        1 => (1..6_u32).prop_map(Change::Unpin),
    ]
}
