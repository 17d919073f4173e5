//! The items of a caller's list, and the ids of its calls: the caller's own, and those that the engine has in their place.
//!
//! A server may use the id of a call again, or give none; the engine needs one id for each call. A call whose id is empty or was used
//! before has another one inside the engine, made of its place in the list, so that the same list has the same ids in every process.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use throughline_conversation::{ContentBlock, Message, Role};
use throughline_wire::{ListedForm, ListedMessage};

/// A message of the list.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListedPlace {
    /// Its items.
    pub(crate) items: Range<usize>,
    /// How its items are written where the message is changed.
    pub(crate) form: ListedForm,
    /// The ids of its calls, or of its results, in order.
    pub(crate) ids: Vec<CallId>,
    /// The ids are those of calls.
    has_calls: bool,
    /// It says something besides results.
    has_words: bool,
}

impl ListedPlace {
    /// It has nothing that a session records.
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_words && self.ids.is_empty()
    }

    /// How many messages a session records of these places: all results are one, and what else is said in a message is another one.
    pub(crate) fn recorded(places: &[Self]) -> usize {
        let has_results = places.iter().any(|place| !place.has_calls && !place.ids.is_empty());
        places.iter().filter(|place| place.has_words).count() + usize::from(has_results)
    }
}

/// The id of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallId {
    /// In the caller's list; it may be empty.
    pub(crate) given: String,
    /// Inside the engine.
    pub(crate) own: String,
}

/// The messages of the list that was handed over last.
#[derive(Debug, Default)]
pub(crate) struct ListedItems {
    places: Vec<ListedPlace>,
    /// The message of each call's own id.
    calls: HashMap<String, usize>,
}

impl ListedItems {
    pub(crate) fn places(&self) -> &[ListedPlace] {
        &self.places
    }

    /// The end of a list behind the message `same`: gives calls and results the ids that the engine has for them, and returns the
    /// places of the messages. Nothing is taken over yet.
    pub(crate) fn named(&self, same: usize, listed: Vec<ListedMessage>) -> (Vec<Message>, Vec<ListedPlace>) {
        let mut named = Naming { before: self, same, taken: HashSet::new(), open: self.open(same) };
        (same..).zip(listed).map(|(place, listed)| named.place(place, listed)).unzip()
    }

    /// Takes over the end of a list behind the message `same`.
    pub(crate) fn replace(&mut self, same: usize, end: Vec<ListedPlace>) {
        for place in self.places.drain(same.min(self.places.len())..) {
            for id in place.ids.iter().filter(|_| place.has_calls) {
                self.calls.remove(&id.own);
            }
        }
        for (place, one) in (same..).zip(end) {
            if one.has_calls {
                self.calls.extend(one.ids.iter().map(|id| (id.own.clone(), place)));
            }
            self.places.push(one);
        }
    }

    /// The messages of a range.
    pub(crate) fn of(&self, messages: &Range<usize>) -> &[ListedPlace] {
        self.places.get(messages.clone()).unwrap_or_default()
    }

    /// The place behind the messages without content that follow the message before `end`. They are in no record, and stay where they
    /// are in the list.
    pub(crate) fn end_with_empty(&self, end: usize) -> usize {
        let behind = self.places.get(end..).unwrap_or_default();
        end + behind.iter().take_while(|place| place.is_empty()).count()
    }

    /// The calls before the message `same` that have no result.
    fn open(&self, same: usize) -> Vec<CallId> {
        let before = self.places.get(..same).unwrap_or_default();
        let Some(calling) = before.iter().rposition(|place| place.has_calls) else { return Vec::new() };
        let (calls, results) = before.split_at(calling + 1);
        let answered = |id: &CallId| results.iter().any(|place| place.ids.contains(id));
        let calls = calls.last().map(|place| place.ids.as_slice()).unwrap_or_default();
        calls.iter().filter(|id| !answered(id)).cloned().collect()
    }
}

/// The own ids of calls that the session has recorded with others, because a record that is hidden now has theirs.
#[derive(Debug, Default)]
pub(crate) struct RecordedIds(HashMap<String, String>);

impl RecordedIds {
    /// Notes the calls of these messages of the session, which are those of these places. Calls have the order of the list.
    pub(crate) fn note(&mut self, messages: &[&Message], places: &[ListedPlace]) {
        let calls = messages.iter().flat_map(|message| message.tool_calls());
        let listed = places.iter().filter(|place| place.has_calls).flat_map(|place| &place.ids);
        for (call, id) in calls.zip(listed).filter(|(call, id)| call.id != id.own) {
            self.0.insert(call.id.clone(), id.own.clone());
        }
    }

    /// The own id of a recorded one.
    pub(crate) fn own<'a>(&'a self, recorded: &'a str) -> &'a str {
        self.0.get(recorded).map_or(recorded, String::as_str)
    }
}

/// Names the end of a list.
struct Naming<'a> {
    before: &'a ListedItems,
    same: usize,
    /// The own ids of the end.
    taken: HashSet<String>,
    /// Calls that have no result yet.
    open: Vec<CallId>,
}

impl Naming<'_> {
    fn place(&mut self, place: usize, listed: ListedMessage) -> (Message, ListedPlace) {
        let ListedMessage { mut message, items, form } = listed;
        let has_words = message.content.iter().any(is_word);
        let has_calls = message.tool_calls().next().is_some();
        if has_calls {
            self.open.clear();
        }
        let mut ids = Vec::new();
        for block in &mut message.content {
            match block {
                ContentBlock::ToolCall(call) => {
                    let id = CallId { own: self.own(&call.id, place), given: call.id.clone() };
                    call.id.clone_from(&id.own);
                    self.open.push(id.clone());
                    ids.push(id);
                }
                ContentBlock::ToolResult(result) => {
                    let answered = self.open.iter().position(|id| id.given == result.call_id);
                    let given = || CallId { given: result.call_id.clone(), own: result.call_id.clone() };
                    let id = answered.map_or_else(given, |at| self.open.remove(at));
                    result.call_id.clone_from(&id.own);
                    ids.push(id);
                }
                _ => {}
            }
        }
        (message, ListedPlace { items, form, ids, has_calls, has_words })
    }

    /// The own id of a call in the message `place`.
    fn own(&mut self, given: &str, place: usize) -> String {
        let is_taken = |id: &str| {
            self.taken.contains(id) || self.before.calls.get(id).is_some_and(|place| *place < self.same)
        };
        let mut own = given.to_owned();
        let stem = if given.is_empty() { "call" } else { given };
        let mut number = 0_usize;
        while own.is_empty() || is_taken(&own) {
            own = if number == 0 { format!("{stem}-{place}") } else { format!("{stem}-{place}-{number}") };
            number += 1;
        }
        self.taken.insert(own.clone());
        own
    }
}

/// Returns true if a block is no result, and no blank text.
fn is_word(block: &ContentBlock) -> bool {
    match block {
        ContentBlock::Text { text } => !text.trim().is_empty(),
        ContentBlock::ToolResult(_) => false,
        _ => true,
    }
}

/// Makes one message of messages of the model in a row, which a session has as one. Messages without content between them become a part of
/// it.
pub(crate) fn joined(listed: Vec<ListedMessage>) -> Vec<ListedMessage> {
    let says =
        |one: &ListedMessage| one.message.role == Role::Assistant && one.message.content.iter().any(is_word);
    let is_blank = |one: &ListedMessage| {
        let is_result = |block: &ContentBlock| matches!(block, ContentBlock::ToolResult(_));
        !one.message.content.iter().any(|block| is_word(block) || is_result(block))
    };
    let mut joined: Vec<ListedMessage> = Vec::with_capacity(listed.len());
    for one in listed {
        let before = joined.iter().rposition(|one| !is_blank(one)).filter(|_| says(&one));
        match before.and_then(|at| Some((at, joined.get_mut(at).filter(|last| says(last))?))) {
            Some((at, last)) => {
                last.message.content.extend(one.message.content);
                last.items.end = one.items.end;
                if one.form == ListedForm::Unchanged {
                    last.form = one.form;
                }
                joined.truncate(at + 1);
            }
            None => joined.push(one),
        }
    }
    joined
}

#[cfg(test)]
mod tests;
