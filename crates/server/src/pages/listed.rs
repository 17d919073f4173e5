//! What the list of sessions has a row for: a stored session, or a transcript of another agent.

use std::sync::Arc;

use serde_json::Value;
use throughline_completion::Dollars;
use throughline_continuity::SessionSummary;
use throughline_conversation::Millis;

use crate::inspector::{ContinuityState, dollars_of};
use crate::transcripts::{TranscriptFigures, TranscriptObject};
use crate::turns::RunningTurn;

/// How the agent of this program is called in the list.
pub(super) const OWN: &str = "throughline";

/// What is shown for the agent until a file is read.
pub(super) const UNREAD: &str = "not read yet";

/// What one row is about.
pub(super) enum Listed {
    /// A session, and the figures of the transcript that it was stored from, where they are read.
    Stored(SessionSummary, Option<TranscriptFigures>),
    Transcript(TranscriptObject),
}

impl Listed {
    pub(super) fn agent(&self) -> String {
        match self {
            Self::Stored(session, _) => {
                crate::inspector::agent_of(session.info.id.as_str()).unwrap_or(OWN).to_owned()
            }
            Self::Transcript(object) => object.agent.clone().unwrap_or_else(|| UNREAD.to_owned()),
        }
    }

    pub(super) fn folder(&self) -> &str {
        match self {
            Self::Stored(session, _) => &session.info.workspace,
            Self::Transcript(object) => object.folder.as_deref().unwrap_or_default(),
        }
    }

    pub(super) fn title(&self) -> &str {
        match self {
            Self::Stored(session, _) if session.info.title.is_empty() => session.info.id.as_str(),
            Self::Stored(session, _) => &session.info.title,
            Self::Transcript(object) if object.title.is_empty() => &object.session,
            Self::Transcript(object) => &object.title,
        }
    }

    pub(super) fn active(&self) -> Millis {
        match self {
            Self::Stored(session, _) => session.last_activity,
            Self::Transcript(object) => Millis(object.modified_ms),
        }
    }

    pub(super) fn requests(&self) -> Option<u64> {
        match self {
            Self::Stored(session, figures) => {
                Some(figures.as_ref().map_or(session.requests, |figures| figures.requests))
            }
            Self::Transcript(object) => object.requests,
        }
    }

    pub(super) fn tokens(&self) -> Option<u64> {
        match self {
            Self::Stored(session, figures) => {
                figures.as_ref().map_or(session.last_tokens, |figures| figures.tokens)
            }
            Self::Transcript(object) => object.tokens,
        }
    }
}

/// A row with what is read for it alone.
pub(super) struct Row {
    pub(super) listed: Listed,
    pub(super) state: Option<ContinuityState>,
    /// The turn that runs in it here.
    pub(super) turn: Option<Arc<RunningTurn>>,
    pub(super) dollars: Dollars,
    pub(super) owner: String,
}

/// What a session has cost, by its object.
pub(super) fn cost_of(object: &Value) -> Dollars {
    let field = |name: &str| object.get(name).and_then(Value::as_f64);
    dollars_of(field("cost_usd_at_least"), field("cost_usd").is_some())
}
