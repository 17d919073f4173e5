//! How a run ends.

use throughline_agent::{Refused, TurnError, TurnOutcome};
use throughline_completion::{ModelError, StopReason};
use throughline_conversation::SessionId;
use throughline_text::error_chain;

use crate::terminal::plain;

/// Exit codes for scripts. 0 is success.
pub(super) mod exit {
    /// Any other failure.
    pub(in crate::run) const FAILED: u8 = 1;
    /// Wrong usage.
    pub(in crate::run) const USAGE: u8 = crate::usage::USAGE;
    /// No model is configured, or its provider refuses the key.
    pub(in crate::run) const NO_MODEL: u8 = 3;
    /// The provider is unavailable or limits the rate: the same command may succeed later.
    pub(in crate::run) const TRY_LATER: u8 = 4;
    /// A limit of this run was reached.
    pub(in crate::run) const LIMIT: u8 = 5;
    /// Interrupted; the session can be resumed.
    pub(in crate::run) const INTERRUPTED: u8 = 130;
    /// The reader of standard output is gone. Shells report this code for a program that SIGPIPE ended.
    pub(in crate::run) const UNREAD: u8 = 141;
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(super) code: u8,
    /// One word for programs.
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) stop: Option<String>,
    pub(crate) error: Option<String>,
    /// A notice about a complete answer.
    pub(crate) note: Option<String>,
}

/// The outcome of a run whose end is not on disk.
pub(super) const UNSAVED: &str = "unsaved";

impl Ending {
    pub(super) fn of(code: u8, kind: &'static str) -> Self {
        Self { code, kind, text: String::new(), stop: None, error: None, note: None }
    }

    /// The same ending if the newest records are not on disk, which is a failure in any case.
    pub(super) fn unsaved(self, session: &SessionId, cause: &str) -> Self {
        let lost = unsaved(session, cause);
        let error = self.error.map_or_else(|| lost.clone(), |error| format!("{error}; and {lost}"));
        Self { code: exit::FAILED, kind: UNSAVED, error: Some(error), ..self }
    }
}

/// The message about a session whose end is not on disk.
pub(super) fn unsaved(session: &SessionId, cause: &str) -> String {
    format!("the end of session {session} is not saved: {cause}")
}

pub(super) fn interrupted() -> Ending {
    Ending {
        stop: Some("cancelled".to_owned()),
        error: Some("interrupted".to_owned()),
        ..Ending::of(exit::INTERRUPTED, "interrupted")
    }
}

/// The ending of a turn that the model ended. Not every one is a complete answer.
pub(crate) fn answered(outcome: TurnOutcome) -> Ending {
    let TurnOutcome { text, stop, refused, .. } = outcome;
    let mut note = None;
    let (code, kind, error) = match stop.as_str() {
        "refusal" => (exit::FAILED, "refused", Some(refusal(refused.as_ref()))),
        "max_tokens" => {
            let why = "the answer reached its token limit and is cut off; raise --max-tokens, or continue";
            (exit::LIMIT, "cut_off", Some(why.to_owned()))
        }
        StopReason::WINDOW_FULL => {
            let why = "the answer filled the model's window and is cut off; compact the session with /compact and continue, \
                       or use a larger window";
            (exit::LIMIT, "cut_off", Some(why.to_owned()))
        }
        _ if text.trim().is_empty() => {
            let why = format!("the model gave an empty answer ({stop}); try again");
            (exit::TRY_LATER, "empty_answer", Some(why))
        }
        "end_turn" | "stop_sequence" | "tool_use" | "pause" => (0, "done", None),
        _ => {
            note = Some(format!("the model stopped for an unknown reason: {stop}"));
            (0, "done", None)
        }
    };
    Ending { code, kind, text, stop: Some(stop), error, note }
}

/// The message about a refused turn: what the provider said, and what became of the turn.
pub(crate) fn refusal(refused: Option<&Refused>) -> String {
    let mut text = "the model refused to answer".to_owned();
    let Some(Refused { details, hidden }) = refused else { return text };
    let said: Vec<&str> =
        [&details.category, &details.explanation].into_iter().flatten().map(String::as_str).collect();
    if !said.is_empty() {
        text.push_str(&format!(" ({})", said.join(": ")));
    }
    if let Some(model) = &details.recommended_model {
        text.push_str(&format!("; its provider recommends {model}"));
    }
    if let Some(exchange) = hidden {
        text.push_str(&format!(
            "; turn {exchange} is hidden from the model, or the next one would be refused for it (/context restore {exchange} shows it again)"
        ));
    }
    plain(&text)
}

pub(super) fn failed(error: &TurnError) -> Ending {
    let (code, kind) = match error {
        TurnError::Model(ModelError::Unauthorized { .. }) => (exit::NO_MODEL, "unauthorized"),
        TurnError::Model(error) if error.is_transient() => (exit::TRY_LATER, "try_later"),
        TurnError::TooManyRequests(_) | TurnError::Spending(_) => (exit::LIMIT, "limit"),
        _ => (exit::FAILED, "failed"),
    };
    Ending { error: Some(error_chain(error)), ..Ending::of(code, kind) }
}
