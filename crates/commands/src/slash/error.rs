//! What is wrong with a line that is meant as a command.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// A line that is no valid command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SlashError {
    /// There is no such command.
    #[error(
        "there is no command {name}; {instead} A message to the model that begins like one: put a space in front"
    )]
    Unknown {
        /// The command as typed.
        name: String,
        /// The nearest command, or how all are listed.
        instead: String,
    },
    /// The arguments are wrong.
    #[error("{why}; write: {usage}")]
    Usage {
        /// What is wrong.
        why: String,
        /// How the command is written.
        usage: String,
    },
}

impl SlashError {
    /// An error of clap, in one line.
    pub(super) fn usage(error: &clap::Error, usage: String) -> Self {
        Self::Usage { why: reason(error), usage }
    }
}

fn reason(error: &clap::Error) -> String {
    let does_not_fit = |kind| format!("{:?} does not fit here", text(error, kind));
    match error.kind() {
        ErrorKind::ValueValidation => match error.source() {
            Some(source) => source.to_string(),
            None => does_not_fit(ContextKind::InvalidValue),
        },
        ErrorKind::UnknownArgument | ErrorKind::TooManyValues => does_not_fit(ContextKind::InvalidArg),
        ErrorKind::InvalidSubcommand => does_not_fit(ContextKind::InvalidSubcommand),
        ErrorKind::ArgumentConflict => {
            let (one, other) = (text(error, ContextKind::InvalidArg), text(error, ContextKind::PriorArg));
            format!("{one} and {other} cannot be used together")
        }
        ErrorKind::MissingRequiredArgument => match text(error, ContextKind::InvalidArg).as_str() {
            "" => "an argument is missing".to_owned(),
            missing => format!("{} is missing", missing.replace(['<', '>'], "").trim_end_matches("...")),
        },
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "an argument is missing".to_owned()
        }
        _ => error.kind().to_string(),
    }
}

/// What clap knows of an error, as text.
fn text(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(" and "),
        _ => String::new(),
    }
}
