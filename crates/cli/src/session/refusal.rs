//! What is said about a session that cannot be opened.

use std::path::Path;

use throughline_conversation::SessionId;
use throughline_store::LockError;
use throughline_text::error_chain;

use crate::compose::Data;
use crate::shell::option;

/// A session that another process has open.
#[derive(Debug, thiserror::Error)]
#[error("{held}")]
pub(super) struct Busy {
    held: LockError,
    session: SessionId,
    /// Options that the command line of a copy needs, too.
    data_dir: String,
    workspace: String,
}

impl Busy {
    /// The error of a lock, with what a command line needs that goes on in a copy.
    pub(super) fn of(error: LockError, data: &Data, workspace: Option<&Path>) -> anyhow::Error {
        match &error {
            LockError::Held { session, .. } => {
                let (session, data_dir) = (session.clone(), data.option.clone());
                Self { held: error, session, data_dir, workspace: option("--workspace", workspace) }.into()
            }
            _ => error.into(),
        }
    }
}

/// The error in one line; for a session that another process has open, with the way that is left.
pub(crate) fn refusal(error: &anyhow::Error) -> String {
    told(error, "", "")
}

/// The same for a run without a screen, with more options of it.
pub(crate) fn refusal_of_run(error: &anyhow::Error, more: &str) -> String {
    told(error, " run", more)
}

fn told(error: &anyhow::Error, command: &str, more: &str) -> String {
    let text = error_chain(error.as_ref());
    match error.chain().find_map(|cause| cause.downcast_ref::<Busy>()) {
        Some(Busy { session, data_dir, workspace, .. }) => format!(
            "{text}; or go on in a copy of it: \
             throughline{command}{data_dir} --resume {session} --fork{workspace}{more}"
        ),
        None => text,
    }
}
