//! Why an operation failed: a code for programs, a message for people, and data where it helps.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use throughline_engine::{
    ChangeError, CompactError, EngineError, OrderError, SessionId, StartError, TurnError,
};
use throughline_text::error_chain;
use throughline_wire::{ListError, WireError};

macro_rules! codes {
    ($($(#[doc = $about:literal])+ $code:ident = $name:literal,)+) => {
        /// What went wrong. The names are stable, and the same through every door.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($(#[doc = $about])+ $code,)+
        }

        impl ErrorCode {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$code,)+];

            /// The name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)+ }
            }

            /// When it is returned.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$code => concat!($($about),+).trim_start(),)+ }
            }
        }
    };
}

codes! {
    /// There is no operation of this name.
    UnknownOperation = "unknown_operation",
    /// A field of the input is unknown, missing or of another type.
    InvalidInput = "invalid_input",
    /// No context of this id is open.
    UnknownContext = "unknown_context",
    /// A context of this id is open already.
    AlreadyOpen = "already_open",
    /// Another process has the session open.
    Held = "held",
    /// The model is in no table, and the input does not say its window.
    UnknownModel = "unknown_model",
    /// A setting does not fit the window or the others.
    InvalidSettings = "invalid_settings",
    /// The session could not be read or written.
    Storage = "storage",
    /// The key was used for another operation.
    KeyReused = "key_reused",
    /// No request is open.
    NoRequest = "no_request",
    /// Another request is open.
    OtherRequest = "other_request",
    /// A request waits for its answer.
    RequestOpen = "request_open",
    /// Calls wait for their results.
    CallsOpen = "calls_open",
    /// No call of this id waits for a result.
    UnknownCall = "unknown_call",
    /// No summary of this number was asked for.
    UnknownSummary = "unknown_summary",
    /// A summary was asked for and is neither given nor declined.
    SummaryOpen = "summary_open",
    /// The model has nothing to answer.
    NothingToAnswer = "nothing_to_answer",
    /// The body is no answer of the context's wire form.
    InvalidAnswer = "invalid_answer",
    /// The body is an error of the provider: give it to `refused`.
    ProviderError = "provider_error",
    /// The list of messages cannot be taken.
    InvalidMessage = "invalid_message",
    /// The end of the list cannot be taken without its start: hand over the whole list.
    WholeListNeeded = "whole_list_needed",
    /// The turn has ended: the model failed.
    ModelFailed = "model_failed",
    /// The turn has ended: content that may not be cut does not fit the window.
    DoesNotFit = "does_not_fit",
    /// The turn has ended: the request would break the provider's rules and was not returned.
    InvalidRequest = "invalid_request",
    /// The turn has ended: it reached a limit.
    LimitReached = "limit_reached",
    /// Records of the session cannot be stored: the turn has ended, or the context is not closed.
    Unsaved = "unsaved",
    /// A compaction would gain too little.
    NothingToGain = "nothing_to_gain",
    /// Compactions are paused after failures.
    Paused = "paused",
    /// A compaction failed, and nothing has changed.
    CompactionFailed = "compaction_failed",
    /// The session has changed since the compaction was previewed, or none was.
    Outdated = "outdated",
    /// The change is not possible in this session.
    NotPossible = "not_possible",
    /// The engine has no tool of this name.
    UnknownTool = "unknown_tool",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Why an operation failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct CallError {
    /// The code.
    pub code: ErrorCode,
    /// What happened and what helps, in one sentence.
    pub message: String,
    /// Values of the message, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Map<String, Value>>,
}

impl CallError {
    /// An error without data.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// No context of this id is open.
    pub fn unknown_context(id: &SessionId) -> Self {
        let message = format!("no context {id} is open; call open first, with an id that no other user has");
        Self::new(ErrorCode::UnknownContext, message).with("context", id.as_str())
    }

    /// The records of a context that is closed cannot be written.
    pub(crate) fn unsaved(id: &SessionId, records: usize) -> Self {
        let message = format!(
            "{records} records of the context {id} cannot be stored: they stay in memory, and the context stays open; close it again \
             when its storage answers"
        );
        Self::new(ErrorCode::Unsaved, message).with("context", id.as_str()).with("records", records)
    }

    pub(crate) fn of(code: ErrorCode, error: &(dyn std::error::Error + 'static)) -> Self {
        Self::new(code, error_chain(error))
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.get_or_insert_default().insert(name.to_owned(), value.into());
        self
    }
}

impl From<OrderError> for CallError {
    fn from(error: OrderError) -> Self {
        let of = |code| Self::new(code, error.to_string());
        match &error {
            OrderError::NoRequest => of(ErrorCode::NoRequest),
            OrderError::OtherRequest { open, .. } => of(ErrorCode::OtherRequest).with("request", open.0),
            OrderError::RequestOpen(id) => of(ErrorCode::RequestOpen).with("request", id.0),
            OrderError::CallsOpen(calls) => of(ErrorCode::CallsOpen).with("calls", json!(calls)),
            OrderError::UnknownCall(call) => of(ErrorCode::UnknownCall).with("call", call.as_str()),
            OrderError::UnknownSummary(id) => of(ErrorCode::UnknownSummary).with("summary", *id),
            OrderError::SummaryOpen(id) => of(ErrorCode::SummaryOpen).with("summary", *id),
            OrderError::NothingToAnswer => of(ErrorCode::NothingToAnswer),
        }
    }
}

impl From<TurnError> for CallError {
    fn from(error: TurnError) -> Self {
        let code = match &error {
            TurnError::Model(_) => ErrorCode::ModelFailed,
            TurnError::DoesNotFit { .. } => ErrorCode::DoesNotFit,
            TurnError::Compaction(error) => code_of(error),
            TurnError::InvalidRequest(_) => ErrorCode::InvalidRequest,
            TurnError::Declined(_) | TurnError::EmptyMessage => ErrorCode::InvalidMessage,
            TurnError::TooManyRequests(_) | TurnError::NoProgress(_) | TurnError::Spending(_) => {
                ErrorCode::LimitReached
            }
            TurnError::Unsaved(_) => ErrorCode::Unsaved,
        };
        Self::of(code, &error).with("kind", error.kind())
    }
}

impl From<EngineError> for CallError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Order(error) => error.into(),
            EngineError::Turn(error) => error.into(),
            EngineError::Log(error) => Self::of(ErrorCode::Storage, &error),
            EngineError::Message { place, .. } => {
                Self::of(ErrorCode::InvalidMessage, &error).with("message", place)
            }
            EngineError::WholeList { .. } => Self::of(ErrorCode::WholeListNeeded, &error),
            EngineError::Key { .. } | EngineError::KeyInput { .. } => Self::of(ErrorCode::KeyReused, &error),
            EngineError::Unwritten { .. } => Self::of(ErrorCode::Storage, &error),
        }
    }
}

fn code_of(error: &CompactError) -> ErrorCode {
    match error.kind() {
        "nothing_to_gain" => ErrorCode::NothingToGain,
        "paused" => ErrorCode::Paused,
        "does_not_fit" => ErrorCode::DoesNotFit,
        "not_stored" => ErrorCode::Storage,
        "outdated" => ErrorCode::Outdated,
        _ => ErrorCode::CompactionFailed,
    }
}

impl From<CompactError> for CallError {
    fn from(error: CompactError) -> Self {
        Self::of(code_of(&error), &error)
    }
}

impl From<ChangeError> for CallError {
    fn from(error: ChangeError) -> Self {
        let code = match &error {
            ChangeError::Group(_) | ChangeError::TwiceTheSameIds | ChangeError::PinsTooLarge { .. } => {
                ErrorCode::NotPossible
            }
            _ => ErrorCode::Storage,
        };
        match &error {
            ChangeError::Group(group) => Self::new(code, without_commands(&error_chain(group))),
            other => Self::of(code, other),
        }
    }
}

/// A sentence without the parts that name commands of the program, which an operation does not have.
fn without_commands(message: &str) -> String {
    message.split("; ").filter(|part| !part.contains('`')).collect::<Vec<_>>().join("; ")
}

impl From<StartError> for CallError {
    fn from(error: StartError) -> Self {
        let code = match &error {
            StartError::Thresholds(_) => ErrorCode::InvalidSettings,
            StartError::Resume(_) => ErrorCode::Storage,
        };
        Self::of(code, &error)
    }
}

impl From<WireError> for CallError {
    fn from(error: WireError) -> Self {
        match &error {
            WireError::Shape { place, .. } => {
                Self::new(ErrorCode::InvalidAnswer, error.to_string()).with("place", place.as_str())
            }
            WireError::Model(model) => {
                let message = format!("this is an error and no answer: {error}; give it to `refused`");
                Self::new(ErrorCode::ProviderError, message).with("kind", model.kind())
            }
        }
    }
}

impl From<ListError> for CallError {
    fn from(error: ListError) -> Self {
        Self::new(ErrorCode::InvalidMessage, error.to_string()).with("message", error.place)
    }
}
