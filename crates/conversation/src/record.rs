//! The log: one appended record for everything that happens in a session.

use serde::{Deserialize, Serialize};

use crate::checkpoint::CheckpointRecord;
use crate::document::DocumentRecord;
use crate::edit::Edit;
use crate::file_change::FilesRecord;
use crate::foreign_request::ForeignRequest;
use crate::group::Mark;
use crate::ids::{ExchangeId, Millis, Seq};
use crate::key::KeyRecord;
use crate::message::Message;
use crate::origin::ModelRecord;
use crate::receipt::{Degradation, Receipt};
use crate::settled::SettledRecord;
use crate::tokens::{ModelUse, Usage};
use crate::tool::ToolDefinition;

/// One entry of a session's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its place.
    pub seq: Seq,
    /// When it was made.
    pub at: Millis,
    /// The exchange that it belongs to.
    pub exchange: ExchangeId,
    /// What happened.
    pub body: RecordBody,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RecordBody {
    /// A message was appended.
    Message(MessageRecord),
    /// The view was edited.
    Edit(Edit),
    /// The model was set or changed.
    Model(ModelRecord),
    /// The policy was set or changed.
    Policy(PolicyRecord),
    /// The system prompt was set or changed.
    Prompt(PromptRecord),
    /// The list of tools that the model sees was set or changed.
    Tools(ToolsRecord),
    /// A request was sent; the decisions about it.
    Receipt(Box<Receipt>),
    /// A subsystem failed and a fallback took over.
    Degraded(Degradation),
    /// Model use that no message of the session reports.
    Spent(ModelUse),
    /// Another agent has sent a request. Its answer is the next message.
    ForeignRequest(Box<ForeignRequest>),
    /// Earlier records are shown differently.
    Mark(Mark),
    /// A document has a new text.
    Document(DocumentRecord),
    /// How far the session has come.
    Checkpoint(Box<CheckpointRecord>),
    /// Calls changed files.
    Files(FilesRecord),
    /// A caller gave the operation that made the records before it a key.
    Keyed(KeyRecord),
    /// A call has its result, and others of its message have none yet.
    Settled(SettledRecord),
    /// The content was deleted permanently; the record's number remains.
    Removed(RemovedRecord),
}

impl RecordBody {
    /// The kind of keys, for a reader that asks for the newest one.
    pub const KEYED: &str = "keyed";
    /// The kind of a [`RecordBody::Mark`].
    pub const MARK: &str = "mark";

    /// The kind's name in storage.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Message(_) => "message",
            Self::Edit(_) => "edit",
            Self::Model(_) => "model",
            Self::Policy(_) => "policy",
            Self::Prompt(_) => "prompt",
            Self::Tools(_) => "tools",
            Self::Receipt(_) => "receipt",
            Self::Degraded(_) => "degraded",
            Self::Spent(_) => "spent",
            Self::ForeignRequest(_) => "foreign_request",
            Self::Mark(_) => Self::MARK,
            Self::Document(_) => "document",
            Self::Checkpoint(_) => "checkpoint",
            Self::Files(_) => "files",
            Self::Keyed(_) => Self::KEYED,
            Self::Settled(_) => "settled",
            Self::Removed(_) => "removed",
        }
    }

    /// Returns true if the record changes what the model sees of the conversation.
    #[must_use]
    pub fn shapes_view(&self) -> bool {
        matches!(self, Self::Message(_) | Self::Edit(_) | Self::Model(_) | Self::Mark(_) | Self::Document(_))
    }

    /// Returns true if the usage, the cost or the compactions of the session follow from the record.
    #[must_use]
    pub fn is_accounted(&self) -> bool {
        let is_usage = matches!(self, Self::Model(_) | Self::Receipt(_) | Self::Spent(_));
        is_usage || matches!(self, Self::Edit(_) | Self::Policy(_) | Self::Mark(_))
    }
}

/// Replaces a record whose content was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedRecord {
    /// The kind of the deleted record.
    pub was: String,
}

/// The author of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The user.
    User,
    /// The model of this name.
    Model(String),
    /// Tools that were called.
    Tools,
    /// The engine itself, to keep the transcript valid (for example the result of an interrupted call).
    Engine,
}

/// A message and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// The message. Large tool results are already replaced by their references.
    pub message: Message,
    /// Its author.
    pub source: Source,
    /// What the provider reported, for a model's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// The policy from here on: the design whose thresholds, strategies and sizes the session runs with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyRecord {
    /// Its name.
    pub name: String,
    /// The policy before it; `None` for the first one of a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The setting of the policy's dial, where the session moved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub economy: Option<String>,
}

/// The system prompt from here on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptRecord {
    /// Sections in the order in which they are sent.
    pub sections: Vec<SectionText>,
}

/// One section of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionText {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether the prefix that ends here may be cached.
    pub cacheable: bool,
    /// Whether it is a fragment of a skill, which is counted separately.
    #[serde(default)]
    pub skill: bool,
}

/// The tools that the model sees from here on, in the order in which they are sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolsRecord {
    /// The tools.
    pub tools: Vec<ToolDefinition>,
    /// Why the list changed.
    pub why: String,
}
