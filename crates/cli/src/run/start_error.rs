//! Why a run ended before its first turn.

use std::io::ErrorKind;
use std::process::ExitCode;
use std::time::Instant;

use throughline::Error;
use throughline::ports::SessionId;
use throughline_config::ConfigError;
use throughline_connect::ConnectError;
use throughline_session::{RunEnding, UnstartedRun};
use throughline_terminal::{complain, complain_of_output, note, write};
use throughline_text::error_chain;

use super::args::Output;
use super::ending::exit;
use crate::usage::{is_usage, is_wrong_choice};

/// Help for a user without a model.
const NO_PROVIDER: &str = include_str!("files/no_provider.md");

/// Why a run did not start.
#[derive(Debug)]
pub(crate) struct StartError {
    code: u8,
    /// One word for programs.
    kind: &'static str,
    error: String,
    /// The session that was worked on.
    session: Option<SessionId>,
    /// Shown to people instead of the error.
    advice: Option<String>,
}

impl StartError {
    /// Wrong usage.
    pub(super) fn usage(error: impl Into<String>) -> Self {
        Self::of(exit::USAGE, "usage", error.into())
    }

    /// A command changed a session, and the change is not on disk.
    pub(super) fn unsaved(session: SessionId, cause: &str) -> Self {
        let error = RunEnding::unsaved_text(&session, cause);
        Self::not_stored(session, error)
    }

    /// Storage failed, and the command has no effect that lasts.
    pub(super) fn not_stored(session: SessionId, error: String) -> Self {
        Self { session: Some(session), ..Self::of(exit::FAILED, RunEnding::UNSAVED, error) }
    }

    fn of(code: u8, kind: &'static str, error: String) -> Self {
        Self { code, kind, error, session: None, advice: None }
    }

    /// Prints the error on standard error; for programs also as the result object.
    pub(super) fn print(&self, output: Output, started: Instant) -> ExitCode {
        self.print_object(output, started);
        self.print_for_person()
    }

    /// Prints the result object, if the output is for programs.
    pub(super) fn print_object(&self, output: Output, started: Instant) {
        if output == Output::Text {
            return;
        }
        let Self { kind, error, session, .. } = self;
        let run = UnstartedRun { kind, error, session: session.as_ref() };
        let result = run.object(started.elapsed());
        match write(&format!("{}\n", throughline_text::one_line_json(&result.to_string()))) {
            // The exit code reports the failure to a reader that is gone.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => complain_of_output(&error),
            _ => {}
        }
    }

    /// Prints the error on standard error.
    pub(crate) fn print_for_person(&self) -> ExitCode {
        match &self.advice {
            Some(advice) => advice.lines().for_each(note),
            None => complain(&self.error),
        }
        ExitCode::from(self.code)
    }
}

impl From<anyhow::Error> for StartError {
    fn from(error: anyhow::Error) -> Self {
        let (code, kind) = if is_usage(&error) { (exit::USAGE, "usage") } else { (exit::FAILED, "failed") };
        Self::of(code, kind, error_chain(error.as_ref()))
    }
}

impl From<Error> for StartError {
    fn from(error: Error) -> Self {
        Self::from(anyhow::Error::from(error))
    }
}

impl From<ConfigError> for StartError {
    fn from(error: ConfigError) -> Self {
        Self::from(anyhow::Error::from(error))
    }
}

impl From<ConnectError> for StartError {
    fn from(error: ConnectError) -> Self {
        let (code, kind) = match &error {
            error if is_wrong_choice(error) => (exit::USAGE, "usage"),
            error if error.is_transient() => (exit::TRY_LATER, "try_later"),
            _ => (exit::NO_MODEL, "no_model"),
        };
        let advice = match &error {
            ConnectError::NoProvider { named: None, empty } if empty.is_empty() => {
                Some(NO_PROVIDER.to_owned())
            }
            // The error says what to set for this model.
            ConnectError::NoProvider { named: Some(_), .. } => None,
            ConnectError::NoProvider { .. } => {
                let help = NO_PROVIDER.split_once('\n').map_or(NO_PROVIDER, |(_, help)| help);
                Some(format!("error: {}.\n{help}", error.text()))
            }
            _ => None,
        };
        Self { advice, ..Self::of(code, kind, error.text()) }
    }
}
