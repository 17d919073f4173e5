//! The messages of a view, shared between the view and the requests made of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ids::{ExchangeId, Seq, Span};
use crate::message::Message;
use crate::origin::Origin;

/// The kind of an entry. The engine distinguishes more than the roles that providers see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// The user's own words. The last of these always stays verbatim.
    User,
    /// The model's message.
    Assistant,
    /// Results of the calls of the assistant message right before.
    Results,
    /// Replaces a covered range of the log.
    Summary,
    /// A note of the engine from the user's side.
    Notice,
}

impl EntryKind {
    /// The kind in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Results => "results",
            Self::Summary => "summary",
            Self::Notice => "notice",
        }
    }
}

/// One message of a view, and the range of the log that it represents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Records that it represents: one, or many for a summary.
    pub span: Span,
    /// The exchange that it belongs to.
    pub exchange: ExchangeId,
    /// What it is.
    pub kind: EntryKind,
    /// The model that wrote it, for a model's message and the results of its calls; `None` for all others, and for
    /// logs without that information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Arc<Origin>>,
    /// What the model sees.
    pub message: Arc<Message>,
    /// Its tokens by the counter in use, before calibration.
    pub tokens: u64,
}

/// A list of entries that is cheap to clone.
///
/// A clone shares the list. Pushing copies it only while a clone is alive, so the engine drops a request before it
/// appends: the cost of a turn then depends on its new messages alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Transcript {
    entries: Arc<Vec<Entry>>,
}

impl Transcript {
    /// Creates a transcript of plain messages without a log: each is its own record, tokens are 0.
    #[must_use]
    pub fn from_messages(messages: impl IntoIterator<Item = Message>) -> Self {
        let mut exchange = ExchangeId(0);
        let entries = messages.into_iter().enumerate().map(|(index, message)| {
            let kind = EntryKind::of(&message);
            if kind == EntryKind::User || exchange.0 == 0 {
                exchange = exchange.next();
            }
            let span = Span::one(Seq(index as u64 + 1));
            Entry { span, exchange, kind, origin: None, message: Arc::new(message), tokens: 0 }
        });
        Self { entries: Arc::new(entries.collect()) }
    }

    /// Number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if there is no message.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.entries.iter().map(|entry| entry.message.as_ref())
    }

    /// Returns true if the two share one list in memory, and are therefore equal. Costs one comparison.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.entries, &other.entries)
    }

    /// Number of leading entries that are equal in both. Equal pointers are not looked into.
    #[must_use]
    pub fn common_prefix(&self, other: &Self) -> usize {
        if self.is_same(other) {
            return self.len();
        }
        let same = |(a, b): &(&Entry, &Entry)| Arc::ptr_eq(&a.message, &b.message) || a.message == b.message;
        self.entries.iter().zip(other.entries.iter()).take_while(same).count()
    }

    /// Returns this transcript with one more message from the user's side, which is in no log: for one-off questions.
    #[must_use]
    pub fn followed_by(&self, message: Message) -> Self {
        let mut entries = self.entries.as_ref().clone();
        let (seq, exchange) =
            entries.last().map_or((Seq(0), ExchangeId(0)), |last| (last.span.last, last.exchange));
        entries.push(Entry {
            span: Span::one(seq.next()),
            exchange,
            kind: EntryKind::Notice,
            origin: None,
            message: Arc::new(message),
            tokens: 0,
        });
        Self::from_entries(entries)
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        Arc::make_mut(&mut self.entries).push(entry);
    }

    pub(crate) fn from_entries(entries: Vec<Entry>) -> Self {
        Self { entries: Arc::new(entries) }
    }
}

impl EntryKind {
    /// Derives the kind from the message alone.
    #[must_use]
    pub fn of(message: &Message) -> Self {
        if message.role == crate::Role::Assistant {
            Self::Assistant
        } else if message.tool_results().next().is_some() {
            Self::Results
        } else {
            Self::User
        }
    }
}
