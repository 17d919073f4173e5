//! The error of a session that cannot be opened.

use std::path::Path;

use throughline_conversation::SessionId;
use throughline_stored::{Error, Storage, data_dir_option};
use throughline_text::{error_chain, shell_option};

/// A session that another process has open.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
struct Busy {
    error: Error,
    session: SessionId,
    /// Options of a command line that works on a copy.
    data_dir: String,
    workspace: String,
    server: String,
}

/// Adds to the error of a busy session the options of a command line that works on a copy of it. `server`: those that reach the
/// session's model, each with a leading space.
pub fn busy(error: Error, storage: &Storage, workspace: Option<&Path>, server: String) -> anyhow::Error {
    match &error {
        Error::Busy { session, .. } => {
            let (session, data_dir) = (session.clone(), data_dir_option(storage));
            let workspace = shell_option("--workspace", workspace);
            Busy { error, session, data_dir, workspace, server }.into()
        }
        _ => error.into(),
    }
}

/// The error in one line; for a busy session with the command that works on a copy of it.
pub fn refusal(error: &anyhow::Error) -> String {
    render(error, "", "")
}

/// The same for `throughline run`, with more options.
pub fn refusal_of_run(error: &anyhow::Error, more: &str) -> String {
    render(error, " run", more)
}

fn render(error: &anyhow::Error, command: &str, more: &str) -> String {
    let text = error_chain(error.as_ref());
    match error.chain().find_map(|cause| cause.downcast_ref::<Busy>()) {
        Some(Busy { session, data_dir, workspace, server, .. }) => format!(
            "{text}; or work in a copy of it: \
             throughline{command}{data_dir} --resume {session} --fork{workspace}{server}{more}"
        ),
        None => text,
    }
}
