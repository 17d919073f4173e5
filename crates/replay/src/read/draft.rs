//! The content of a recording before repairs.

use throughline_conversation::{BROKEN_OFF_NOTE, ContentBlock, Message, Millis, Role, ToolResult, Usage};

use crate::session::{RequestFacts, RequestTerms, SessionPart, UnshownAnswer};

/// A recording as read: messages in order, possibly invalid.
#[derive(Debug, Default)]
pub(super) struct RecordingDraft {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) title: Option<String>,
    pub(super) system: Vec<String>,
    pub(super) messages: Vec<Said>,
    pub(super) notes: Vec<String>,
    /// What of the recording is missing, for a person.
    pub(super) warnings: Vec<String>,
    pub(super) compactions: usize,
    /// Time of the entry that is being read; messages that are added get it.
    pub(super) now: Option<Millis>,
    /// The model that is named for the answer that is being read.
    pub(super) speaker: Option<String>,
    /// The provider that is named for it.
    pub(super) provider: Option<String>,
    /// Whether a compaction was read after the newest answer.
    pub(super) compacted: bool,
    /// Whether no model was asked for it.
    pub(super) unasked: bool,
    /// Answers that are no messages and were paid, until the next answer.
    pub(super) unshown: Vec<UnshownAnswer>,
    /// Whether the newest answer was broken off, and nothing of it was noted yet.
    pub(super) broken_off: bool,
    /// Whether what is read was written by the session that this one was forked from.
    pub(super) inherited: bool,
    /// The session that this one belongs to or was forked from.
    pub(super) parent: Option<String>,
    pub(super) part: SessionPart,
    /// What is no part of the conversation, but was paid.
    pub(super) separate: Vec<RecordingDraft>,
}

/// A message, and what the provider reported for it.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) message: Message,
    pub(super) usage: Option<Usage>,
    pub(super) at: Option<Millis>,
    pub(super) request: RequestFacts,
}

impl RecordingDraft {
    /// Takes the name of a model: the first is that of the session, and each is that of the answers after it.
    pub(super) fn named(&mut self, model: Option<&str>) {
        if let Some(model) = model {
            self.model.get_or_insert_with(|| model.to_owned());
            self.speaker = Some(model.to_owned());
        }
    }

    /// Counts a compaction of the agent.
    pub(super) fn compaction(&mut self) {
        self.compactions += 1;
        (self.compacted, self.unasked) = (true, false);
    }

    /// Takes note that the newest message is an answer that was broken off. One that says nothing needs no note.
    pub(super) fn break_off(&mut self) {
        let last = self.messages.last().map(|said| &said.message);
        self.broken_off = last.is_some_and(|last| last.role == Role::Assistant && !last.content.is_empty());
    }

    /// Notes it for the model and the reader, unless the model was asked again.
    pub(super) fn note_broken_off(&mut self) {
        if std::mem::take(&mut self.broken_off) {
            self.user(vec![ContentBlock::Text { text: BROKEN_OFF_NOTE.to_owned() }]);
        }
    }

    /// Adds an answer that is no message of the conversation, if the provider reported anything for it.
    pub(super) fn unshown(&mut self, answer: Option<String>, usage: Option<Usage>, is_summary: bool) {
        let Some(usage) = usage.filter(|_| !self.inherited) else { return };
        let (model, answered_at) = (self.speaker.clone(), self.now);
        self.unshown.push(UnshownAnswer {
            answer,
            model,
            usage,
            hour_write: 0,
            terms: RequestTerms::default(),
            answered_at,
            is_summary,
        });
    }

    /// Adds a message and gives its place.
    pub(super) fn say(&mut self, role: Role, content: Vec<ContentBlock>, usage: Option<Usage>) -> usize {
        if role == Role::User && !content.iter().any(|block| matches!(block, ContentBlock::ToolResult(_))) {
            self.note_broken_off();
        }
        self.broken_off = false;
        let request = match role {
            Role::Assistant => RequestFacts {
                model: self.speaker.clone(),
                provider: self.provider.clone(),
                compacted: std::mem::take(&mut self.compacted),
                unasked: std::mem::take(&mut self.unasked),
                inherited: self.inherited,
                unshown: std::mem::take(&mut self.unshown),
                ..RequestFacts::default()
            },
            Role::User => RequestFacts::default(),
        };
        self.messages.push(Said { message: Message { role, content }, usage, at: self.now, request });
        self.messages.len() - 1
    }

    /// Adds a message from the user's side.
    pub(super) fn user(&mut self, content: Vec<ContentBlock>) {
        self.say(Role::User, content, None);
    }

    /// Adds the result of a call.
    pub(super) fn result(&mut self, result: ToolResult) {
        self.user(vec![ContentBlock::ToolResult(result)]);
    }

    /// Removes the messages from this place on, which the user has rewound, and returns how many they are.
    pub(super) fn rewind(&mut self, place: usize) -> usize {
        let messages = self.messages.split_off(place.min(self.messages.len()));
        let count = messages.len();
        self.broken_off = false;
        // A compaction before the first of them is before the next answer, too.
        let first = messages.iter().find(|said| said.message.role == Role::Assistant);
        if let Some(first) = first.filter(|said| said.request.compacted) {
            (self.compacted, self.unasked) = (true, first.request.unasked);
        }
        self.add_separate(SessionPart::Rewound, None, Self { messages, ..Self::default() });
        count
    }

    /// Adds what is no part of the conversation. Without an answer of a model nothing was paid for it.
    pub(super) fn add_separate(&mut self, part: SessionPart, id: Option<String>, draft: Self) {
        if draft.messages.iter().any(|said| said.message.role == Role::Assistant) {
            self.separate.push(Self { part, id, ..draft });
        }
    }

    /// Notes that a number of things were left out, when it is not none.
    pub(super) fn left_out(&mut self, count: usize, what: &str) {
        if count > 0 {
            self.notes.push(format!("left out {count} {what}"));
        }
    }
}
