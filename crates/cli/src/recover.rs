//! `throughline recover`: saves what is readable of a damaged database into a new one.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};
use throughline_config::StorageDatabase;
use throughline_stored::{DamagedDatabase, RecoveredFolder, RecoveredSession, Storage};
use throughline_terminal::{json as print_json, line};
use throughline_text::{counted, headline, plain, shell_word};

use crate::data_args::DataArgs;

/// Arguments of `recover`.
#[derive(Debug, Args)]
pub(crate) struct RecoverArgs {
    /// Session id, the start of one, or `last`
    #[arg(required_unless_present = "all")]
    pub(crate) session: Option<String>,
    /// Save all sessions and memos
    #[arg(long, conflicts_with = "session")]
    pub(crate) all: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Maximum number of gaps of a session that are listed.
const GAPS: usize = 10;

/// Saves what is readable next to the database, which is not changed.
pub(crate) async fn run(args: &RecoverArgs, data: &DataArgs) -> anyhow::Result<ExitCode> {
    if let Some(server) = StorageDatabase::of_user().into_server() {
        bail!(
            "recover reads a damaged database file, and the sessions are on a server, {server}: restore a backup there \
             (pg_restore); for a file, name its data folder and unset storage.database"
        );
    }
    let damaged = DamagedDatabase::find(data.data_dir.clone())?;
    let wanted = match args.session.as_deref() {
        Some("last") => Some(newest(data).await?),
        other => other.map(str::to_owned),
    };
    let recovered = damaged.recover(wanted.as_deref()).await?;
    if args.json {
        print_json(&object(&recovered))?;
    } else {
        report(&recovered);
    }
    Ok(ExitCode::SUCCESS)
}

/// The id of the session that is `last`. The list of sessions may be damaged, too.
async fn newest(data: &DataArgs) -> anyhow::Result<String> {
    let unknown =
        "the newest session is not known: name the session by the start of its id, or recover --all";
    let storage = Storage::open_to_read(data.data_dir.clone()).await.context(unknown)?;
    Ok(data.find(&storage, "last").await.context(unknown)?.to_string())
}

fn report(recovered: &RecoveredFolder) {
    let saved = &recovered.saved;
    for session in &saved.sessions {
        let title = headline(&plain(&session.title), 60);
        let records = counted(session.records as u64, "record");
        let results = counted(session.results as u64, "stored result");
        line(&format!("{}  {records}, {results}  {title}", session.id));
        for lost in session.lost.iter().take(GAPS) {
            line(&match lost.first == lost.last {
                true => format!("  lost: record {}", lost.first),
                false => format!("  lost: records {} to {}", lost.first, lost.last),
            });
        }
        if session.lost.len() > GAPS {
            line(&format!("  and {} more gaps", session.lost.len() - GAPS));
        }
    }
    let folder = shell_word(&recovered.folder.display().to_string());
    let sessions = counted(saved.sessions.len() as u64, "session");
    let memos = counted(saved.memos as u64, "memo");
    if recovered.is_damaged {
        line(&format!("Saved {sessions} and {memos}; the damaged database is unchanged."));
        line(&format!("To use what was saved: throughline --data-dir {folder} sessions"));
    } else {
        line(&format!(
            "No damage was found. {folder} has a copy of {sessions} and {memos}; nothing needs it."
        ));
    }
}

fn object(recovered: &RecoveredFolder) -> Value {
    let saved = &recovered.saved;
    let session = |session: &RecoveredSession| {
        let lost: Vec<Value> =
            session.lost.iter().map(|span| json!({ "first": span.first, "last": span.last })).collect();
        json!({
            "session": session.id,
            "title": session.title,
            "records": session.records,
            "lost": lost,
            "results": session.results,
        })
    };
    json!({
        "data_dir": recovered.folder,
        "damaged": recovered.is_damaged,
        "sessions": saved.sessions.iter().map(session).collect::<Vec<Value>>(),
        "memos": saved.memos,
    })
}
