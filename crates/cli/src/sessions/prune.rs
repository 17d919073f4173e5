//! `throughline sessions prune`: deletes sessions that have not been used for long.

use std::time::Duration;

use anyhow::bail;
use throughline::ports::SessionId;
use throughline_config::Retention;
use throughline_stored::{PruneOutcome, Pruned, Storage};
use throughline_terminal::{complain, confirm, line};
use throughline_text::{counted, error_chain, group_thousands};

use crate::data_args::DataArgs;

/// Arguments of `sessions prune`.
#[derive(Debug, clap::Args)]
pub(crate) struct PruneArgs {
    /// Delete sessions without a new record for this long, such as 90d
    #[arg(long, value_name = "SPAN", value_parser = throughline_text::read_span)]
    older_than: Duration,
    /// Let sessions with a pin stay
    #[arg(long)]
    keep_pinned: bool,
    /// List what would be deleted, and delete nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long, short)]
    yes: bool,
}

/// Deletes them while other processes write.
pub(super) async fn prune(args: &PruneArgs, place: &DataArgs) -> anyhow::Result<()> {
    let retention = Some(Retention { age: args.older_than, keep_pinned: args.keep_pinned });
    if args.dry_run {
        let data = Storage::open_to_read(place.data_dir.clone()).await?;
        let pruned = data.prune(retention, true, list).await?;
        line(&format!("{} would be deleted. Nothing was.", pruned_text(&pruned)));
        return Ok(());
    }
    let data = Storage::open_to_delete(place.data_dir.clone()).await?;
    if !args.yes {
        let would = data.prune(retention, true, |_, _| {}).await?;
        if would.sessions + would.entries == 0 {
            line("Nothing is that old.");
            return Ok(());
        }
        confirm(&pruned_text(&would))?;
    }
    let pruned = data.prune(retention, false, complain_of).await?;
    line(&format!("Deleted {}.", pruned_text(&pruned)));
    if pruned.failed > 0 {
        bail!("{} could not be deleted; run it again", counted(pruned.failed, "session"));
    }
    Ok(())
}

fn list(session: &SessionId, outcome: &PruneOutcome) {
    match outcome {
        PruneOutcome::Deleted => line(session.as_str()),
        other => complain_of(session, other),
    }
}

fn complain_of(session: &SessionId, outcome: &PruneOutcome) {
    match outcome {
        PruneOutcome::Failed(error) => {
            complain(&format!("session {session} was not deleted: {}", error_chain(error)));
        }
        PruneOutcome::Open => complain(&format!("session {session} is open in another process, and stays")),
        PruneOutcome::Deleted | PruneOutcome::Pinned => {}
    }
}

fn pruned_text(pruned: &Pruned) -> String {
    let (sessions, entries) = (counted(pruned.sessions, "session"), counted(pruned.entries, "entry"));
    let pinned = match pruned.pinned {
        0 => String::new(),
        pinned => format!(" ({} with pins stay)", group_thousands(pinned)),
    };
    format!("{sessions}{pinned} and {entries} of the audit log")
}
