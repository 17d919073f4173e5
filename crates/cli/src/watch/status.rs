//! `throughline watch --status`: what the transcript of a session says of its compactions.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use throughline::{SessionHandle, Storage};
use throughline_conversation::SessionId;
use throughline_watch::{Delivery, FactFates, ForeignCompaction, ForeignName, compactions};

use crate::data_args::DataArgs;
use crate::foreign::{newest, transcripts};
use crate::terminal::{headline, line};
use crate::usage::UsageError;

/// Most facts of a kind that are shown.
const SHOWN: usize = 8;

/// Most bytes of a fact that are shown.
const WIDTH: usize = 100;

/// Prints it. The exit code is 1 if a context did not arrive.
pub(super) async fn status(name: &str, data: &DataArgs) -> anyhow::Result<ExitCode> {
    let named = match ForeignName::parse(name) {
        Some(named) => named,
        None if name.is_empty() => newest(data.any_folder)?,
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
    if let Some(last) = found.last() {
        fates(last, &format!("{agent}-{}", transcript.id), data).await?;
    }
    let missing = found.iter().any(|one| one.delivery == Delivery::Missing);
    Ok(if missing { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Prints which facts of the session the last compaction kept, which came back, and which are only stored.
async fn fates(last: &ForeignCompaction, session: &str, data: &DataArgs) -> anyhow::Result<()> {
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let handle = SessionHandle::new(storage, SessionId::new(session)?);
    let Some(facts) = handle.facts_before_compaction().await?.filter(|facts| !facts.is_empty()) else {
        return Ok(());
    };
    let fates = FactFates::of(last, &facts);
    line(&format!(
        "Facts before the last one: {}; the agent's own summary has lost {} %, with the restored context {} %",
        facts.len(),
        fates.lost_by_agent(),
        fates.lost_in_context()
    ));
    let parts = [
        ("kept by the agent", &fates.kept),
        ("restored", &fates.restored),
        ("one search away", &fates.stored),
    ];
    for (name, facts) in parts {
        line(&format!("  {name}: {}", facts.len()));
        facts.iter().take(SHOWN).for_each(|fact| line(&format!("    {}", headline(fact, WIDTH))));
        if let Some(more) = facts.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            line(&format!("    and {more} more"));
        }
    }
    Ok(())
}
