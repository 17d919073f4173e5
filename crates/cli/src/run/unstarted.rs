//! A run that ends before there is a session.

use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;
use throughline_conversation::{Usage, error_chain};

use super::args::Output;
use super::exit;
use super::report::object_line;
use crate::connect::ConnectError;
use crate::terminal::{complain, note};

/// What a person is told who has no model yet.
const NO_PROVIDER: &str = include_str!("files/no_provider.md");

/// Why a run did not begin.
#[derive(Debug)]
pub(crate) struct Unstarted {
    code: u8,
    /// One word for programs.
    kind: &'static str,
    error: String,
    /// What a person is told in the place of the error.
    advice: Option<String>,
}

impl Unstarted {
    /// It was called in a wrong way.
    pub(super) fn usage(error: impl Into<String>) -> Self {
        Self { code: exit::USAGE, kind: "usage", error: error.into(), advice: None }
    }

    /// Says why: to a person on standard error; to a program in the object that it waits for, too.
    pub(super) fn tell(&self, output: Output, started: Instant) -> ExitCode {
        if output != Output::Text {
            object_line(&json!({
                "type": "result",
                "outcome": self.kind,
                "is_error": true,
                "text": "",
                "error": self.error,
                "note": null,
                "stop": null,
                "session": null,
                "provider": null,
                "model": null,
                "requests": 0,
                "compactions": 0,
                "usage": Usage::default(),
                "unreported": 0,
                "cost_usd": null,
                "cost_usd_at_least": null,
                "duration_ms": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            }));
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
        Self { code: exit::FAILED, kind: "failed", error: error_chain(error.as_ref()), advice: None }
    }
}

impl From<ConnectError> for Unstarted {
    fn from(error: ConnectError) -> Self {
        let (code, kind) = match &error {
            ConnectError::Usage(_) => (exit::USAGE, "usage"),
            error if error.is_passing() => (exit::TRY_LATER, "try_later"),
            ConnectError::NoProvider { .. } | ConnectError::Other(_) => (exit::NO_MODEL, "no_model"),
        };
        let advice = match &error {
            ConnectError::NoProvider { empty } if empty.is_empty() => Some(NO_PROVIDER.to_owned()),
            // What is particular to this case stands at the end.
            ConnectError::NoProvider { .. } => Some(format!("{NO_PROVIDER}\n{}.", error.text())),
            _ => None,
        };
        Self { code, kind, error: error.text(), advice }
    }
}
