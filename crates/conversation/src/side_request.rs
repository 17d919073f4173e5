//! Requests to a provider whose answers are no messages of the session.

use crate::origin::Origin;
use crate::tokens::Usage;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The text of a summary, of a compaction.
    Summary,
    /// The provider's own compaction.
    ProviderCompaction,
    /// STATE, built from the messages.
    State,
    /// Reading the prompt cache, so that it lives longer.
    KeepWarm,
    /// The provider's count of a request. It is no work of a model and costs nothing.
    Count,
    /// The count of a request by a very short answer to it.
    Probe,
    /// The context of a session for another agent.
    SessionContext,
}

impl Purpose {
    /// The purpose as a word for traces.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::ProviderCompaction => "provider_compaction",
            Self::State => "state",
            Self::KeepWarm => "keep_warm",
            Self::Count => "count",
            Self::Probe => "probe",
            Self::SessionContext => "session_context",
        }
    }
}

/// The server that answers requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddress {
    /// A name or an IP address.
    pub host: String,
    /// The TCP port.
    pub port: u16,
}

/// What a provider says an answer is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnswerIdentity {
    /// Its name of the answer.
    pub id: Option<String>,
    /// The model that has answered, which can be a version of the requested one.
    pub model: Option<String>,
}

/// A request whose answer is no message of the session, when it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideRequest {
    /// What it is for.
    pub purpose: Purpose,
    /// The model that is asked.
    pub model: Origin,
    /// Where; `None`: no server, or not known.
    pub server: Option<ServerAddress>,
}

/// The end of such a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideAnswer {
    /// How it ended.
    pub outcome: SideOutcome,
    /// Usage as the provider reported it.
    pub usage: Option<Usage>,
}

impl SideAnswer {
    /// An end without a report of usage.
    #[must_use]
    pub fn without_usage(outcome: SideOutcome) -> Self {
        Self { outcome, usage: None }
    }
}

/// How such a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SideOutcome {
    /// Nothing was sent: the provider has no such request.
    NotSent,
    /// The caller stopped it.
    Stopped,
    /// No answer; the kind of the error.
    Failed(&'static str),
    /// An answer.
    Answered {
        /// Why the model stopped, where that is reported.
        stop: Option<String>,
        /// What the provider says the answer is.
        identity: AnswerIdentity,
    },
}
