//! How a run ends.

use throughline_agent::{Refused, TurnError, TurnOutcome};
use throughline_completion::{ModelError, StopReason, holds_call};
use throughline_conversation::SessionId;
use throughline_documents::without_documents;
use throughline_text::{error_chain, plain};

use crate::tally::RunTally;
use throughline_stored::Storage;

/// An answer of the model as a person reads it: without blocks of STATE and the scratchpad.
#[must_use]
pub fn answer_text(text: &str) -> String {
    let shown = without_documents(text);
    if shown.len() == text.len() { shown } else { shown.trim_end().to_owned() }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEnding {
    /// One word for programs: `done`, `interrupted`, `refused`, `cut_off`, `broken_off`, `call_as_text`, `empty_answer`, `limit`, `no_progress`, `try_later`, `unauthorized`,
    /// `unpaid`, `declined`, `stopped_by_hook`, `nothing_to_do`, `failed`, `unsaved`, or the reason why a task ended.
    pub kind: &'static str,
    /// The answer, without the documents that the model wrote into it.
    pub text: String,
    /// Why the model stopped.
    pub stop: Option<String>,
    /// What is wrong; `None`: the answer is complete.
    pub error: Option<String>,
    /// A notice about a complete answer.
    pub note: Option<String>,
}

impl RunEnding {
    /// The kind of a run whose end is not on disk.
    pub const UNSAVED: &'static str = "unsaved";
    /// The kind of a run whose turn a hook has ended.
    pub const STOPPED_BY_HOOK: &'static str = "stopped_by_hook";
    /// The kind of a run that was cancelled.
    pub const INTERRUPTED: &'static str = "interrupted";

    /// An ending of this kind, without a text.
    #[must_use]
    pub fn of(kind: &'static str) -> Self {
        Self { kind, text: String::new(), stop: None, error: None, note: None }
    }

    /// The ending of a turn; `None`: there was no turn to continue.
    #[must_use]
    pub fn of_turn(outcome: Result<Option<TurnOutcome>, TurnError>) -> Self {
        match outcome {
            Ok(Some(TurnOutcome { cancelled: true, .. })) => Self::interrupted(),
            Ok(Some(outcome)) => Self::answered(outcome),
            Ok(None) => Self::of("nothing_to_do"),
            Err(error) => Self::failed(&error),
        }
    }

    /// A run that was cancelled; the session can be resumed.
    #[must_use]
    pub fn interrupted() -> Self {
        Self {
            stop: Some("cancelled".to_owned()),
            error: Some("interrupted".to_owned()),
            ..Self::of(Self::INTERRUPTED)
        }
    }

    /// The ending of a turn that the model ended. Not every one is a complete answer.
    #[must_use]
    pub fn answered(outcome: TurnOutcome) -> Self {
        let TurnOutcome { text, stop, refused, .. } = outcome;
        let (kind, error) = match StopReason::named(&stop) {
            StopReason::Refusal => ("refused", Some(refusal(refused.as_ref()))),
            StopReason::MaxTokens => {
                let why =
                    "the answer reached its token limit and is cut off; raise --max-tokens, or continue";
                ("cut_off", Some(why.to_owned()))
            }
            StopReason::Other(name) if name == StopReason::WINDOW_FULL => {
                let why = "the answer filled the model's window and is cut off; compact the session with /compact and continue, \
                           or use a larger window";
                ("cut_off", Some(why.to_owned()))
            }
            StopReason::Other(name) if name == StopReason::STOPPED_BY_HOOK => (Self::STOPPED_BY_HOOK, None),
            _ if text.trim().is_empty() => {
                ("empty_answer", Some(format!("the model gave an empty answer ({stop}); try again")))
            }
            StopReason::EndTurn | StopReason::StopSequence | StopReason::Pause => ("done", None),
            StopReason::Other(name) if name == StopReason::CALL_AS_TEXT => {
                ("call_as_text", Some(NO_PARSER.to_owned()))
            }
            StopReason::ToolUse => {
                let why = "the model announced a tool call and made none; try again";
                ("broken_off", Some(why.to_owned()))
            }
            StopReason::Other(_) => {
                let why =
                    format!("the model stopped for an unknown reason, and may have more to say: {stop}");
                ("broken_off", Some(why))
            }
        };
        let note = (kind == "done" && holds_call(&text)).then(|| NO_PARSER.to_owned());
        Self { kind, text: answer_text(&text), stop: Some(stop), error, note }
    }

    /// The ending of a turn that failed.
    #[must_use]
    pub fn failed(error: &TurnError) -> Self {
        let kind = match error {
            TurnError::Model(ModelError::Unauthorized { .. }) => "unauthorized",
            TurnError::Model(ModelError::Unpaid { .. }) => "unpaid",
            TurnError::Model(error) if error.is_transient() => "try_later",
            TurnError::Unsaved(_) => Self::UNSAVED,
            TurnError::NoProgress(_) => "no_progress",
            TurnError::Declined(_) => "declined",
            TurnError::TooManyRequests(_) | TurnError::Spending(_) => "limit",
            _ => "failed",
        };
        Self { error: Some(error_chain(error)), ..Self::of(kind) }
    }

    /// The same ending if the newest records are not on disk, which is a failure in any case.
    #[must_use]
    pub fn unsaved(self, session: &SessionId, cause: &str) -> Self {
        let lost = Self::unsaved_text(session, cause);
        let error = self.error.map_or_else(|| lost.clone(), |error| format!("{error}; and {lost}"));
        Self { kind: Self::UNSAVED, error: Some(error), ..self }
    }

    /// The same ending, if everything up to it is on disk, by the events of the run and the place of the database.
    #[must_use]
    pub fn checked(self, session: &SessionId, tally: &RunTally, storage: &Storage) -> Self {
        let gone = storage.store.check_place().err().map(|gone| gone.to_string());
        match tally.unsaved.as_ref().or(gone.as_ref()) {
            Some(cause) => self.unsaved(session, cause),
            None => self,
        }
    }

    /// The message about a session whose end is not on disk.
    #[must_use]
    pub fn unsaved_text(session: &SessionId, cause: &str) -> String {
        format!("the end of session {session} is not saved: {cause}")
    }
}

/// What to do about a tool call that comes as text.
const NO_PARSER: &str = "the answer holds a tool call as text, which is not run; start the server with the tool parser of this model \
                         (vLLM: --enable-auto-tool-choice --tool-call-parser, llama.cpp: --jinja), or use another model";

/// The message about a refused turn: what the provider said, and what became of the turn.
fn refusal(refused: Option<&Refused>) -> String {
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
