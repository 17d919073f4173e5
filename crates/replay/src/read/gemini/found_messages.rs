//! The messages of a session of Gemini CLI, out of its records.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::super::content::{list, text_of};
use super::begins_gemini_session;
use super::summaries::summaries;

/// Something in the order of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry<'v> {
    /// A message, by its id.
    Message(&'v str),
    /// A compaction.
    Compaction,
}

/// The messages of a session, each in its newest form.
#[derive(Default)]
pub(super) struct FoundMessages<'v> {
    /// The id of the session.
    pub(super) session: Option<String>,
    /// It is the work of a subagent.
    pub(super) is_subagent: bool,
    /// What came, oldest first.
    pub(super) order: Vec<Entry<'v>>,
    /// The messages, by id.
    pub(super) messages: HashMap<&'v str, &'v Value>,
    /// Ids that are no messages of the session: summaries, and what was repeated with them.
    repeated: HashSet<&'v str>,
    /// Number of the messages that were rewound.
    pub(super) rewound: usize,
    /// The messages of each rewind.
    pub(super) rewinds: Vec<Vec<&'v Value>>,
}

impl<'v> FoundMessages<'v> {
    /// Takes the next record.
    pub(super) fn take(&mut self, record: &'v Value) {
        if let Some(id) = text_of(record, "$rewindTo") {
            self.rewind(id);
        } else if let Some(set) = record.get("$set") {
            self.set(list(set, "messages"));
        } else if begins_gemini_session(record) {
            let id = text_of(record, "sessionId").map(str::to_owned);
            self.session = self.session.take().or(id);
            self.is_subagent |= text_of(record, "kind") == Some("subagent");
            self.set(list(record, "messages"));
        } else {
            self.add(record);
        }
    }

    fn add(&mut self, message: &'v Value) {
        let Some(id) = text_of(message, "id").filter(|id| !self.repeated.contains(id)) else { return };
        if self.messages.insert(id, message).is_none() {
            self.order.push(Entry::Message(id));
        }
    }

    /// Takes the messages that the agent sends from now on.
    fn set(&mut self, messages: &'v [Value]) {
        let is_known = |id: &str| self.messages.contains_key(id) || self.repeated.contains(id);
        let new = |message: &&Value| text_of(message, "id").is_some_and(|id| !is_known(id));
        if summaries(messages).iter().any(|summary| !is_known(summary.id)) {
            // Nothing in it is new but the summary. What stays may have got other ids.
            self.order.push(Entry::Compaction);
            let ids = messages.iter().filter_map(|message| text_of(message, "id"));
            let unknown: Vec<&str> = ids.filter(|id| !self.messages.contains_key(id)).collect();
            self.repeated.extend(unknown);
            return;
        }
        let unknown: Vec<&Value> = messages.iter().filter(new).collect();
        unknown.into_iter().for_each(|message| self.add(message));
    }

    fn rewind(&mut self, id: &str) {
        let place = self.order.iter().position(|entry| *entry == Entry::Message(id));
        // One that is not known is from before a compaction, and the agent forgets everything.
        let mut rewound = Vec::new();
        for entry in self.order.drain(place.unwrap_or(0)..) {
            if let Entry::Message(id) = entry {
                rewound.extend(self.messages.remove(id));
                self.rewound += 1;
            }
        }
        self.rewinds.push(rewound);
    }
}
