//! The table of operations, from which every door is made.

mod envelope;
mod inputs;

pub(crate) use envelope::Envelope;
use envelope::read;
use futures_util::future::BoxFuture;
use inputs::{Close, Describe, List, OperationList, described};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};
use throughline_text::nearest_name;

use crate::call_output::CallOutput;
use crate::changes::{Compact, Pin, Preview, Redo, Undo, Unpin};
use crate::contexts::{ContextList, Contexts};
use crate::documents::{GetDocuments, SetDocuments};
use crate::error::{CallError, ErrorCode};
use crate::inspect::{GetHandoff, GetReceipts, GetReport, GetState};
use crate::offload::Offload;
use crate::open::{Open, Opened};
use crate::operation::Operation;
use crate::refusals::{GiveRefusal, GiveStop};
use crate::requests::{
    CallTool, DeclineSummary, GiveAnswer, GiveResults, GiveStream, GiveSummary, NextRequest, UserMessage,
};
use crate::sync_list::SyncList;
use crate::words::Done;

/// Errors that any operation of a context may return.
const OF_ALL: &[ErrorCode] = &[
    ErrorCode::InvalidInput,
    ErrorCode::UnknownContext,
    ErrorCode::Held,
    ErrorCode::KeyReused,
    ErrorCode::Storage,
];

/// What a key is for.
pub const KEY_ABOUT: &str = "A repeated call with the same key changes nothing and returns what the first one has returned. \
     Keys of user, answer, answer_stream and results hold over a restart, those of other operations while the context is open: \
     the newest 32, of at most 1 MiB.";

/// What an operation does to its context, for a caller that records changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationEffect {
    /// It changes what the user has of it.
    Changes,
    /// It carries out a turn that the user has begun.
    Steps,
    /// It changes nothing.
    Reads,
}

/// A call that runs.
type Calling = BoxFuture<'static, Result<CallOutput, CallError>>;

/// A row of the table.
#[derive(Clone, Copy)]
pub struct OperationEntry {
    /// Its name.
    pub name: &'static str,
    /// Its errors besides those that every operation may return.
    errors: &'static [ErrorCode],
    /// It is done with one context, and takes the fields `context` and `key`.
    pub of_context: bool,
    /// What it does.
    pub effect: OperationEffect,
    /// The schema of its input, without `context` and `key`.
    pub input: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of its output.
    pub output: fn(&mut SchemaGenerator) -> Schema,
    /// Appends the output to a text, as JSON.
    pub(crate) call: fn(Contexts, Envelope, Vec<u8>) -> Calling,
}

impl std::fmt::Debug for OperationEntry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("OperationEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl OperationEntry {
    /// What it does, in one line.
    #[must_use]
    pub fn about(&self) -> String {
        let schema = (self.input)(&mut SchemaGenerator::new(inline()));
        let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        about.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The errors that it may return.
    pub fn errors(&self) -> impl Iterator<Item = ErrorCode> {
        let shared = if self.of_context { OF_ALL } else { &[ErrorCode::InvalidInput] };
        shared.iter().chain(self.errors).copied()
    }

    /// The schema of its input with `context` and `key`, as `call` takes it, complete in itself.
    #[must_use]
    pub fn whole_input(&self) -> Value {
        let mut schema = (self.input)(&mut SchemaGenerator::new(inline())).to_value();
        if self.of_context
            && let Some(fields) = schema.as_object_mut()
        {
            let properties = fields.entry("properties").or_insert_with(|| Value::Object(Map::new()));
            if let Some(properties) = properties.as_object_mut() {
                let id = serde_json::json!({ "type": "string", "description": "The context." });
                properties.insert("context".to_owned(), id);
                properties.insert(
                    "key".to_owned(),
                    serde_json::json!({ "type": "string", "description": KEY_ABOUT }),
                );
            }
            let required = fields.entry("required").or_insert_with(|| Value::Array(Vec::new()));
            if let Some(required) = required.as_array_mut() {
                required.insert(0, Value::String("context".to_owned()));
            }
        }
        schema
    }

    /// The schema of its output, complete in itself.
    #[must_use]
    pub fn whole_output(&self) -> Value {
        (self.output)(&mut SchemaGenerator::new(inline())).to_value()
    }
}

fn inline() -> schemars::generate::SchemaSettings {
    schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true)
}

const fn of<O: Operation>(effect: OperationEffect, errors: &'static [ErrorCode]) -> OperationEntry {
    OperationEntry {
        name: O::NAME,
        errors,
        of_context: true,
        effect,
        input: O::json_schema,
        output: <O::Output as JsonSchema>::json_schema,
        call: |contexts, Envelope { context, key, input }, text| {
            Box::pin(async move {
                let input: O = read(input)?;
                CallOutput::append(text, contexts.run(&context, key.as_deref(), input).await?)
            })
        },
    }
}

use ErrorCode::{
    AlreadyOpen, CallsOpen, CompactionFailed, DoesNotFit, InvalidAnswer, InvalidMessage, InvalidRequest,
    InvalidSettings, LimitReached, ModelFailed, NoRequest, NotPossible, NothingToAnswer, NothingToGain,
    OtherRequest, Outdated, Paused, ProviderError, RequestOpen, SummaryOpen, UnknownCall, UnknownModel,
    UnknownSummary, UnknownTool, Unsaved, WholeListNeeded,
};
use OperationEffect::{Changes, Reads, Steps};

/// All operations.
pub const OPERATIONS: &[OperationEntry] = &[
    OperationEntry {
        name: "open",
        errors: &[AlreadyOpen, UnknownModel, InvalidSettings],
        of_context: true,
        effect: Changes,
        input: Open::json_schema,
        output: Opened::json_schema,
        call: |contexts, Envelope { context, key, input }, text| {
            Box::pin(async move {
                CallOutput::append(text, contexts.open(&context, key.as_deref(), read(input)?).await?)
            })
        },
    },
    OperationEntry {
        name: "close",
        errors: &[Unsaved, NotPossible],
        of_context: true,
        effect: Changes,
        input: Close::json_schema,
        output: Done::json_schema,
        call: |contexts, Envelope { context, input, .. }, text| {
            Box::pin(async move {
                let Close { forget } = read(input)?;
                let closed = if forget {
                    contexts.close_and_forget(&context).await
                } else {
                    contexts.close(&context).await
                };
                CallOutput::append(text, closed?)
            })
        },
    },
    OperationEntry {
        name: "list",
        errors: &[],
        of_context: false,
        effect: Reads,
        input: List::json_schema,
        output: ContextList::json_schema,
        call: |contexts, Envelope { input, .. }, text| {
            Box::pin(async move {
                let List {} = read(input)?;
                CallOutput::append(text, contexts.list())
            })
        },
    },
    OperationEntry {
        name: "describe",
        errors: &[],
        of_context: false,
        effect: Reads,
        input: Describe::json_schema,
        output: OperationList::json_schema,
        call: |_, Envelope { input, .. }, text| {
            Box::pin(async move {
                let Describe {} = read(input)?;
                CallOutput::append(text, described())
            })
        },
    },
    of::<UserMessage>(Changes, &[DoesNotFit]),
    of::<NextRequest>(
        Steps,
        &[
            RequestOpen,
            CallsOpen,
            SummaryOpen,
            NothingToAnswer,
            DoesNotFit,
            InvalidRequest,
            LimitReached,
            CompactionFailed,
        ],
    ),
    of::<GiveAnswer>(Steps, &[NoRequest, OtherRequest, InvalidAnswer, ProviderError, ModelFailed, Unsaved]),
    of::<GiveStream>(Steps, &[NoRequest, OtherRequest, InvalidAnswer, ProviderError, ModelFailed, Unsaved]),
    of::<GiveResults>(Steps, &[NoRequest, UnknownCall, CallsOpen]),
    of::<GiveRefusal>(Steps, &[NoRequest, OtherRequest]),
    of::<GiveStop>(Steps, &[NoRequest, OtherRequest]),
    of::<GiveSummary>(Steps, &[UnknownSummary]),
    of::<DeclineSummary>(Steps, &[UnknownSummary]),
    of::<SyncList>(
        Changes,
        &[InvalidMessage, WholeListNeeded, SummaryOpen, DoesNotFit, InvalidRequest, NothingToAnswer],
    ),
    of::<Offload>(Changes, &[]),
    of::<CallTool>(Steps, &[UnknownTool]),
    of::<Compact>(Changes, &[NothingToGain, Paused, CompactionFailed, Outdated]),
    of::<Preview>(Reads, &[NothingToGain, Paused, CompactionFailed]),
    of::<Undo>(Changes, &[NotPossible]),
    of::<Redo>(Changes, &[NotPossible]),
    of::<Pin>(Changes, &[NotPossible]),
    of::<Unpin>(Changes, &[NotPossible]),
    of::<GetDocuments>(Reads, &[]),
    of::<SetDocuments>(Changes, &[]),
    of::<GetReport>(Reads, &[]),
    of::<GetHandoff>(Reads, &[]),
    of::<GetState>(Reads, &[]),
    of::<GetReceipts>(Reads, &[]),
];

/// The row of an operation.
///
/// # Errors
/// [`ErrorCode::UnknownOperation`], with the nearest name.
pub fn find(name: &str) -> Result<&'static OperationEntry, CallError> {
    OPERATIONS.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let near = nearest_name(name, OPERATIONS.iter().map(|entry| entry.name));
        let near = near.map_or(String::new(), |near| format!("; `{near}` is near"));
        CallError::new(ErrorCode::UnknownOperation, format!("there is no operation {name:?}{near}"))
    })
}
