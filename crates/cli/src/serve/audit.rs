//! `throughline serve audit`: what users have changed.

use clap::Args;
use throughline_server::AuditObject;
use throughline_stored::{AuditEntry, Storage, now, past_time};
use throughline_terminal::{line, table};

use crate::usage::as_usage;

/// Entries that are read at once.
const PAGE: u64 = 500;

/// Arguments of `serve audit`.
#[derive(Debug, Args)]
pub(crate) struct AuditListArgs {
    /// Only changes since then: a span such as 7d or 12h, or a time such as 2026-11-28T00:00:00Z [default: all]
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Prints the entries, page by page.
pub(super) async fn run(args: &AuditListArgs, storage: &Storage) -> anyhow::Result<()> {
    let since = args.since.as_deref().map(|text| past_time(text, now())).transpose().map_err(as_usage)?;
    let log = storage.store.audit_log();
    let mut offset = 0;
    loop {
        let entries = log.list(since.unwrap_or_default(), PAGE, offset).await?;
        let count = entries.len() as u64;
        if args.json {
            for entry in entries {
                line(&serde_json::to_string(&AuditObject::from(entry))?);
            }
        } else if count > 0 {
            let head = ["TIME", "USER", "STATUS", "REMOTE", "CHANGE"].map(str::to_owned).to_vec();
            let rows = (offset == 0).then_some(head).into_iter().chain(entries.iter().map(row));
            table(&rows.collect::<Vec<_>>()).iter().for_each(|row| line(row));
        } else if offset == 0 {
            line("No changes yet.");
        }
        if count < PAGE {
            return Ok(());
        }
        offset += count;
    }
}

fn row(entry: &AuditEntry) -> Vec<String> {
    let status = entry.status.map_or_else(|| "–".to_owned(), |status| status.to_string());
    // What a proxy passes on may as well be what a client wrote itself.
    let remote = match &entry.forwarded {
        Some(forwarded) => format!("{} ({forwarded})", entry.remote),
        None => entry.remote.clone(),
    };
    let change = match entry.session.as_ref().filter(|session| !entry.path.contains(session.as_str())) {
        Some(session) => format!("{} {} ({session})", entry.method, entry.path),
        None => format!("{} {}", entry.method, entry.path),
    };
    vec![entry.at.rfc3339(), entry.user.clone(), status, remote, change]
}
