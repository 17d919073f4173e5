//! `throughline store copy`: copies sessions and memos between data folders and PostgreSQL servers.

use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use throughline_commands::UsageError;
use throughline_config::StorageBlobs;
use throughline_stored::{StoreCopy, StorePlace};
use throughline_terminal::{complain, json as print_json, line};
use throughline_text::{counted, error_chain, group_thousands};

use crate::data_args::DataArgs;
use crate::usage::as_usage;

/// Arguments of `store`.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    what: StoreWhat,
}

#[derive(Debug, Subcommand)]
enum StoreWhat {
    /// Copy sessions and memos to another place, byte for byte, and verify the copies
    Copy(CopyArgs),
}

#[derive(Debug, Args)]
struct CopyArgs {
    /// Data folder, or postgres://USER@HOST/DATABASE
    from: String,
    /// Data folder, or postgres://USER@HOST/DATABASE
    to: String,
    /// Copy only this session, by its id; repeatable. Memos are left out then
    #[arg(long, value_name = "SESSION")]
    session: Vec<String>,
    /// Object store of the copy's large results, or `none` to store them in its database [default: storage.blobs]
    #[arg(long, value_name = "URL")]
    to_blobs: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub(crate) async fn run(args: &StoreArgs, data: &DataArgs) -> anyhow::Result<ExitCode> {
    let StoreWhat::Copy(args) = &args.what;
    if data.data_dir.is_some() || data.database.is_some() {
        bail!(UsageError(
            "name both places after `store copy`, without --data-dir and --database".to_owned()
        ));
    }
    let own = StorageBlobs::of_user();
    let to_blobs = match args.to_blobs.as_deref() {
        None => own.clone(),
        Some("none") => StorageBlobs::Database,
        Some(place) => StorageBlobs::named(place, None)
            .map_err(|error| UsageError(format!("--to-blobs: {error}")))?
            .with_limit_of(&own),
    };
    let from = StorePlace::existing(&args.from, &own).await.map_err(as_usage)?;
    let to = StorePlace::open(&args.to, &to_blobs).await.map_err(as_usage)?;
    let copied = from.copy_to(&to, &args.session).await.map_err(as_usage)?;
    to.close().await?;
    print(&copied, &StorePlace::shown(&args.to), args.json)?;
    Ok(if copied.is_whole() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(copied: &StoreCopy, to: &str, as_json: bool) -> anyhow::Result<()> {
    for (session, error) in &copied.failed {
        complain(&format!("session {session} was not copied: {}", error_chain(error)));
    }
    if as_json {
        return Ok(print_json(&object(copied))?);
    }
    let sessions = counted(copied.sessions, "session");
    let (records, results) = (counted(copied.records, "record"), counted(copied.results, "stored result"));
    let same = there_already(copied.same);
    line(&format!("Copied {sessions} with {records} and {results} to {to}, and verified them; {same}."));
    let memos = &copied.memos;
    line(&format!("Copied {}; {}.", counted(memos.copied, "memo"), there_already(memos.same)));
    for name in &memos.taken {
        complain(&format!("memo {name} was not copied: another memo has this name there"));
    }
    Ok(())
}

fn there_already(number: u64) -> String {
    format!("{} {} there already", group_thousands(number), if number == 1 { "was" } else { "were" })
}

fn object(copied: &StoreCopy) -> Value {
    json!({
        "sessions": copied.sessions,
        "records": copied.records,
        "results": copied.results,
        "same": copied.same,
        "failed": copied.failed.iter().map(|(session, _)| session).collect::<Vec<_>>(),
        "memos": copied.memos.copied,
        "same_memos": copied.memos.same,
        "failed_memos": copied.memos.taken,
    })
}
