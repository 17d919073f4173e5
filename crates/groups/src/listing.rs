//! Lists the groups of a session.

use std::collections::BTreeMap;

use serde::Serialize;
use throughline_conversation::{
    EntryKind, ExchangeId, GroupStatus, Groups, Mark, Millis, Record, RecordBody, Seq, Source, Span, View,
};
use throughline_text::cut_end;

use crate::user_request::user_request;

/// How the model sees a group now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// At least a part of it verbatim.
    Yes,
    /// By a summary only.
    InSummary,
    /// Not at all.
    No,
}

impl Shown {
    /// The word for people and programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::InSummary => "summary",
            Self::No => "no",
        }
    }
}

/// One group of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Its number.
    pub id: ExchangeId,
    /// Its status.
    pub status: GroupStatus,
    /// How the model sees it.
    pub shown: Shown,
    /// Its records.
    pub span: Span,
    /// When it began.
    pub at: Millis,
    /// Start of what the user asked for first in it, one line.
    pub request: String,
    /// Messages in it.
    pub messages: u64,
    /// Tools that were called in it.
    pub calls: u64,
    /// Tokens of the session when the group's last answer came: what was sent and what was answered, as the provider
    /// reported it. All messages of one answer share this figure.
    pub tokens: Option<u64>,
}

/// The groups of a session, oldest first. `view` is the session's current view.
#[must_use]
pub fn groups(records: &[Record], view: &View) -> Vec<Group> {
    let mut list = GroupList::default();
    records.iter().for_each(|record| list.add(record));
    list.groups(view)
}

/// Collects the groups of a log that is read record by record.
#[derive(Debug, Default)]
pub struct GroupList {
    found: BTreeMap<ExchangeId, Group>,
    marks: Vec<Mark>,
}

impl GroupList {
    /// Adds the next record.
    pub fn add(&mut self, record: &Record) {
        let is_message = match &record.body {
            RecordBody::Mark(mark) => {
                self.marks.extend(counts(mark).then(|| mark.clone()));
                false
            }
            RecordBody::Message(_) => true,
            RecordBody::Removed(removed) => removed.was == "message",
            _ => false,
        };
        if !is_message || record.exchange.0 == 0 {
            return;
        }
        let group = self.found.entry(record.exchange).or_insert_with(|| new(record));
        group.span.last = record.seq;
        let RecordBody::Message(said) = &record.body else { return };
        group.messages += 1;
        group.calls += said.message.tool_calls().count() as u64;
        if group.request.is_empty() && said.source == Source::User {
            group.request = first_line(&user_request(&said.message).unwrap_or_default());
        }
        if let Some(usage) = &said.usage {
            group.tokens = Some(usage.prompt().saturating_add(usage.output));
        }
    }

    /// The groups, oldest first. `view` is the session's current view.
    #[must_use]
    pub fn groups(self, view: &View) -> Vec<Group> {
        let marks = Groups::from_marks(&self.marks);
        let mut groups: Vec<Group> = self.found.into_values().collect();
        for group in &mut groups {
            group.status = marks.status(group.id);
            group.shown = shown(group, view);
        }
        groups
    }
}

/// Returns true if a mark changes the status of groups.
fn counts(mark: &Mark) -> bool {
    matches!(mark, Mark::Group { .. } | Mark::Window { .. })
}

/// The marks of a log, added up.
pub(crate) fn marks(records: &[Record]) -> Groups {
    Groups::from_marks(records.iter().filter_map(|record| match &record.body {
        RecordBody::Mark(mark) => Some(mark),
        _ => None,
    }))
}

fn new(record: &Record) -> Group {
    Group {
        id: record.exchange,
        status: GroupStatus::default(),
        shown: Shown::No,
        span: Span::one(record.seq),
        at: record.at,
        request: String::new(),
        messages: 0,
        calls: 0,
        tokens: None,
    }
}

fn shown(group: &Group, view: &View) -> Shown {
    if group.status.is_hidden() {
        return Shown::No;
    }
    let mut seen = Shown::No;
    for entry in view.entries().iter().filter(|entry| entry.span.meets(group.span)) {
        if entry.kind != EntryKind::Summary {
            return Shown::Yes;
        }
        seen = Shown::InSummary;
    }
    seen
}

/// The start of a text as one line.
pub(crate) fn first_line(text: &str) -> String {
    const MAX_BYTES: usize = 100;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let cut = cut_end(line, MAX_BYTES);
    if cut.len() < line.len() { format!("{cut}…") } else { cut.to_owned() }
}

/// The newest exchange of a log that has a message, removed ones included; 0: none.
pub(crate) fn newest(records: &[Record]) -> ExchangeId {
    records.iter().map(|record| record.exchange).max().unwrap_or(ExchangeId(0))
}

/// The record that opened a group.
pub(crate) fn opened(records: &[Record], exchange: ExchangeId) -> Option<Seq> {
    let says = |record: &&Record| match &record.body {
        RecordBody::Message(_) => true,
        RecordBody::Removed(removed) => removed.was == "message",
        _ => false,
    };
    records.iter().filter(says).find(|record| record.exchange == exchange).map(|record| record.seq)
}
