//! `throughline store copy`: copies sessions and memos between data folders and PostgreSQL servers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use throughline_commands::UsageError;
use throughline_config::StorageBlobs;
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_store::{CopiedMemos, CopiedSession, DataDir, Durability, ServerUrl, Store};
use throughline_terminal::{complain, json as print_json, line};
use throughline_text::{error_chain, group_thousands};

use crate::data_args::DataArgs;

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
    let from = Place::existing(&args.from, &own).await?;
    let to = Place::open(&args.to, &to_blobs).await?;
    ensure!(
        from.store.path() != to.store.path(),
        UsageError(format!("both places are {}", from.store.path().display()))
    );
    let sessions = from.chosen(&args.session).await?;
    let mut copied = Copied::default();
    for session in &sessions {
        match copy(&from, &to, session).await {
            Ok(one) => copied.note(one),
            Err(error) => {
                complain(&format!("session {session} was not copied: {}", error_chain(error.as_ref())));
                copied.failed.push(session.as_str().to_owned());
            }
        }
    }
    if args.session.is_empty() {
        copied.memos = from.store.copy_memos(&to.store).await?;
    }
    to.store.close().await?;
    copied.print(&args.to_shown(), args.json)?;
    Ok(if copied.is_whole() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl CopyArgs {
    /// The other place, without a password.
    fn to_shown(&self) -> String {
        self.to.parse::<ServerUrl>().map_or_else(|_| self.to.clone(), |server| server.to_string())
    }
}

/// A database, and the folder of the locks of its sessions.
struct Place {
    store: Store,
    locks: PathBuf,
}

impl Place {
    /// A place to copy from. A folder must have a database.
    async fn existing(named: &str, blobs: &StorageBlobs) -> anyhow::Result<Self> {
        let folder = Path::new(named);
        if named.contains("://") || DataDir::existing(Some(folder.to_owned())).is_some() {
            return Self::open(named, blobs).await;
        }
        bail!("there is no database in {named}: name a data folder or a server")
    }

    /// A place whose large results are stored there.
    async fn open(named: &str, blobs: &StorageBlobs) -> anyhow::Result<Self> {
        if named.contains("://") {
            let server = named
                .parse::<ServerUrl>()
                .map_err(|error| UsageError(format!("a place cannot be used: {error}")))?;
            let store = blobs.attach(Store::open_server(&server, Durability::Full).await?)?;
            return Ok(Self { store, locks: PathBuf::new() });
        }
        ensure!(!Path::new(named).is_file(), UsageError(format!("{named} is a file; name its folder")));
        let folder = DataDir::new(Some(PathBuf::from(named)))?;
        let store = blobs.attach(Store::open_with(&folder.database(), Durability::Full).await?)?;
        Ok(Self { store, locks: folder.root().to_owned() })
    }

    /// The sessions to copy, the one that was written last at the end: so the copies have the same order.
    async fn chosen(&self, named: &[String]) -> anyhow::Result<Vec<SessionId>> {
        if named.is_empty() {
            let listed = self.store.sessions().list().await?;
            return Ok(listed.into_iter().rev().map(|session| session.info.id).collect());
        }
        named
            .iter()
            .map(|id| SessionId::new(id.clone()).with_context(|| format!("{id:?} is no id")))
            .collect()
    }
}

/// Copies a session that no process writes meanwhile, in either place.
async fn copy(from: &Place, to: &Place, session: &SessionId) -> anyhow::Result<CopiedSession> {
    let _own = from.store.lock(&from.locks, session).await?;
    let _other = to.store.lock(&to.locks, session).await?;
    Ok(from.store.copy_session(session, &to.store).await?)
}

/// What was copied.
#[derive(Default)]
struct Copied {
    sessions: u64,
    records: u64,
    results: u64,
    same: u64,
    failed: Vec<String>,
    memos: CopiedMemos,
}

impl Copied {
    fn note(&mut self, one: CopiedSession) {
        match one {
            CopiedSession::Copied { records, results } => {
                self.sessions += 1;
                self.records += records;
                self.results += results;
            }
            CopiedSession::Same => self.same += 1,
        }
    }

    fn is_whole(&self) -> bool {
        self.failed.is_empty() && self.memos.taken.is_empty()
    }

    fn print(&self, to: &str, as_json: bool) -> anyhow::Result<()> {
        if as_json {
            return Ok(print_json(&self.object())?);
        }
        let [sessions, records, results, same] =
            [self.sessions, self.records, self.results, self.same].map(group_thousands);
        line(&format!(
            "Copied {sessions} sessions with {records} records and {results} stored results to {to}, and verified them; \
             {same} were there already."
        ));
        let memos = &self.memos;
        line(&format!("Copied {} memos; {} were there already.", memos.copied, memos.same));
        for name in &memos.taken {
            complain(&format!("memo {name} was not copied: another memo has this name there"));
        }
        Ok(())
    }

    fn object(&self) -> Value {
        json!({
            "sessions": self.sessions,
            "records": self.records,
            "results": self.results,
            "same": self.same,
            "failed": self.failed,
            "memos": self.memos.copied,
            "same_memos": self.memos.same,
            "failed_memos": self.memos.taken,
        })
    }
}
