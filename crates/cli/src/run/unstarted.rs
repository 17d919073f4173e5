//! A run that ends before there is a turn.

use std::io::ErrorKind;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;
use throughline::{ConnectError, Error};
use throughline_conversation::{SessionId, Usage};
use throughline_text::error_chain;

use super::args::Output;
use super::ending::{UNSAVED, exit, unsaved};
use crate::terminal::{complain, complain_of_output, note, one_line, write};

/// What a person is told who has no model yet.
const NO_PROVIDER: &str = include_str!("files/no_provider.md");

/// Why a run did not begin.
#[derive(Debug)]
pub(crate) struct Unstarted {
    code: u8,
    /// One word for programs.
    kind: &'static str,
    error: String,
    /// The session that was worked on.
    session: Option<SessionId>,
    /// What a person is told in the place of the error.
    advice: Option<String>,
}

impl Unstarted {
    /// It was called in a wrong way.
    pub(super) fn usage(error: impl Into<String>) -> Self {
        Self::of(exit::USAGE, "usage", error.into())
    }

    /// A command has changed a session, and that is not on disk.
    pub(super) fn unsaved(session: SessionId, cause: &str) -> Self {
        let error = unsaved(&session, cause);
        Self::not_stored(session, error)
    }

    /// Storage failed, and the command has no effect that lasts.
    pub(super) fn not_stored(session: SessionId, error: String) -> Self {
        Self { session: Some(session), ..Self::of(exit::FAILED, UNSAVED, error) }
    }

    fn of(code: u8, kind: &'static str, error: String) -> Self {
        Self { code, kind, error, session: None, advice: None }
    }

    /// Says why: to a person on standard error; to a program in the object that it waits for, too.
    pub(super) fn tell(&self, output: Output, started: Instant) -> ExitCode {
        if output != Output::Text {
            let told = json!({
                "type": "result",
                "outcome": self.kind,
                "is_error": true,
                "text": "",
                "error": self.error,
                "note": null,
                "stop": null,
                "session": self.session,
                "provider": null,
                "model": null,
                "requests": 0,
                "side_requests": 0,
                "compactions": 0,
                "usage": Usage::default(),
                "unreported": 0,
                "cost_usd": null,
                "cost_usd_at_least": null,
                "duration_ms": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            });
            match write(&format!("{}\n", one_line(&told.to_string()))) {
                // The code says that it failed, also where nobody reads why.
                Err(error) if error.kind() != ErrorKind::BrokenPipe => complain_of_output(&error),
                _ => {}
            }
        }
        self.tell_person()
    }

    /// Says why on standard error.
    pub(crate) fn tell_person(&self) -> ExitCode {
        match &self.advice {
            Some(advice) => advice.lines().for_each(note),
            None => complain(&self.error),
        }
        ExitCode::from(self.code)
    }
}

impl From<anyhow::Error> for Unstarted {
    fn from(error: anyhow::Error) -> Self {
        Self::of(exit::FAILED, "failed", error_chain(error.as_ref()))
    }
}

impl From<Error> for Unstarted {
    fn from(error: Error) -> Self {
        Self::from(anyhow::Error::from(error))
    }
}

impl From<ConnectError> for Unstarted {
    fn from(error: ConnectError) -> Self {
        let (code, kind) = match &error {
            ConnectError::Usage(_) => (exit::USAGE, "usage"),
            error if error.is_transient() => (exit::TRY_LATER, "try_later"),
            _ => (exit::NO_MODEL, "no_model"),
        };
        let advice = match &error {
            ConnectError::NoProvider { empty } if empty.is_empty() => Some(NO_PROVIDER.to_owned()),
            // What is particular to this case stands at the end.
            ConnectError::NoProvider { .. } => Some(format!("{NO_PROVIDER}\n{}.", error.text())),
            _ => None,
        };
        Self { advice, ..Self::of(code, kind, error.text()) }
    }
}
