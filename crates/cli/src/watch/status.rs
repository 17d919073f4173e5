//! `throughline watch --status`: what the transcript of a session says of its compactions.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use throughline_watch::{Delivery, ForeignName, compactions};

use crate::foreign::{newest, transcripts};
use crate::terminal::line;
use crate::usage::UsageError;

/// Prints it. The exit code is 1 if a context did not arrive.
pub(super) fn status(name: &str, any_folder: bool) -> anyhow::Result<ExitCode> {
    let named = match ForeignName::parse(name) {
        Some(named) => named,
        None if name.is_empty() => newest(any_folder)?,
        None => bail!(UsageError(format!(
            "{name:?} is not a session of a watched agent; name it as claude:ID or codex:ID"
        ))),
    };
    if !named.agent.has_files() {
        bail!(UsageError(format!(
            "the status of {named} is not known: what a plugin adds to a request is not in the sessions of {}",
            named.agent
        )));
    }
    let (agent, transcript) = (named.agent, transcripts()?.find(&named)?);
    let found = compactions(agent, &transcript.path)
        .with_context(|| format!("cannot read {}", transcript.path.display()))?;
    line(&format!("Session {agent}:{}: compactions {}", transcript.id, found.len()));
    for (compaction, number) in found.iter().zip(1..) {
        let outcome = match compaction.delivery {
            Delivery::Delivered => "context delivered",
            Delivery::Missing => "context not delivered",
            Delivery::Pending => "no answer yet",
        };
        line(&format!("  {number}  {outcome}"));
    }
    let missing = found.iter().any(|one| one.delivery == Delivery::Missing);
    Ok(if missing { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
