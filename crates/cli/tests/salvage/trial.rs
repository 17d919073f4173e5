//! One damaged database, and what the commands say about it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use crate::chance::Chance;
use crate::damage::damage;
use crate::exported::Exported;
use crate::program::throughline;

/// A sound database, and the export of its one session.
#[derive(Debug)]
pub(crate) struct Original {
    folder: TempDir,
    session: String,
    log: Exported,
}

/// What trials have shown.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Records that were exported unchanged.
    pub(crate) exported: u64,
    /// Records that were named as lost.
    pub(crate) named: u64,
    /// Databases that only `recover` could read.
    pub(crate) closed: u64,
    /// Records that `recover` saved.
    pub(crate) recovered: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.exported += other.exported;
        self.named += other.named;
        self.closed += other.closed;
        self.recovered += other.recovered;
    }
}

struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Original {
    /// The demo's session.
    pub(crate) fn make() -> Self {
        let folder = TempDir::new().unwrap();
        let (data, project) = (folder.path().join("data"), folder.path().join("project"));
        std::fs::create_dir(&project).unwrap();
        let demo = run(throughline(&data).args(["demo", "--pace", "0", "--workspace"]).arg(project)).unwrap();
        assert_eq!(demo.code, Some(0), "{}", demo.err);
        let listed = run(throughline(&data).args(["sessions", "--json"])).unwrap();
        let listed: Value = serde_json::from_str(&listed.out).unwrap();
        let session = listed[0]["session"].as_str().unwrap().to_owned();
        let log = run(throughline(&data).args(["export", &session])).unwrap();
        assert_eq!(log.code, Some(0), "{}", log.err);
        let log = Exported::parse(&log.out).unwrap();
        assert!(log.records.len() > 50 && log.lost.is_empty());
        Self { folder, session, log }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("data/throughline.db")
    }
}

/// Damages a copy of the database and runs the commands that read it.
pub(crate) fn run_trial(original: &Original, seed: u64, trial: u64) -> anyhow::Result<Tally> {
    let mut chance = Chance::new(seed ^ trial.wrapping_mul(0x9e37_79b9));
    let folder = TempDir::new()?;
    let database = folder.path().join("throughline.db");
    std::fs::copy(original.database(), &database)?;
    let done = damage(&database, original.log.records.len() as u64, &mut chance)?;
    judged(original, folder.path(), &database, trial).context(done)
}

fn judged(original: &Original, data: &Path, database: &Path, trial: u64) -> anyhow::Result<Tally> {
    let readable = readable(database, original);
    let export = run(throughline(data).args(["export", &original.session]))?;
    let mut tally = Tally::default();
    let opens = export.code == Some(0) || !export.out.is_empty();
    let exported = Exported::parse(&export.out)?;
    if opens {
        exported.check(&original.log)?;
        for seq in &readable {
            ensure!(exported.records.contains_key(seq), "record {seq} can be read and is not exported");
        }
        let is_whole = exported.lost.is_empty() && exported.lost_contexts.is_none();
        let code = if is_whole { 0 } else { 1 };
        ensure!(export.code == Some(code), "exit code {:?}, {} lost", export.code, exported.lost.len());
        tally.exported = exported.records.len() as u64;
        tally.named = exported.lost.len() as u64;
    } else {
        ensure!(export.code == Some(1) && export.err.lines().count() == 1, "{}", export.err);
        tally.closed = 1;
    }
    if trial.is_multiple_of(5) || !opens {
        tally.recovered = recovered(original, data, &exported)?;
    }
    if trial.is_multiple_of(7) {
        for command in [&["context"][..], &["messages", "list"], &["handoff"]] {
            let ran = run(throughline(data).args(command).arg(&original.session))?;
            ensure!(matches!(ran.code, Some(0 | 1)), "{command:?}: {:?} {}", ran.code, ran.err);
        }
    }
    Ok(tally)
}

/// The records that SQLite finds by their places, unchanged.
fn readable(database: &Path, original: &Original) -> BTreeSet<u64> {
    let Ok(raw) = Connection::open(database) else { return BTreeSet::new() };
    let sql = "SELECT json_object('seq', seq, 'at', at, 'exchange', exchange), payload FROM log \
               WHERE session_id = ? AND seq = ?";
    let intact = |seq: &u64| {
        let row = raw.query_row(sql, rusqlite::params![original.session, seq.cast_signed()], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        });
        let (Ok((head, payload)), Some(line)) = (row, original.log.records.get(seq)) else { return false };
        let (Ok(head), Ok(line)) =
            (serde_json::from_str::<Value>(&head), serde_json::from_str::<Value>(line))
        else {
            return false;
        };
        ["seq", "at", "exchange"].iter().all(|name| head[name] == line[name])
            && serde_json::from_str::<Value>(&payload).is_ok_and(|payload| is_body(&payload, &line))
            && is_unchanged(&raw, original, *seq)
    };
    original.log.records.keys().copied().filter(|seq| intact(seq)).collect()
}

/// Returns true if every field of a stored payload is in the exported line.
fn is_body(payload: &Value, line: &Value) -> bool {
    let fields = payload.as_object().into_iter().flatten();
    fields.into_iter().all(|(name, value)| line.get(name).or_else(|| line["body"].get(name)) == Some(value))
}

/// Returns true if a row's kind and digest are those of the sound database.
fn is_unchanged(raw: &Connection, original: &Original, seq: u64) -> bool {
    let sql = "SELECT kind, digest FROM log WHERE session_id = ? AND seq = ?";
    let row = |connection: &Connection| {
        connection
            .query_row(sql, rusqlite::params![original.session, seq.cast_signed()], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
            })
            .ok()
    };
    let sound = Connection::open(original.database()).ok().and_then(|sound| row(&sound));
    sound.is_some() && row(raw) == sound
}

/// Recovers the database, and compares what was saved. Returns the number of records.
fn recovered(original: &Original, data: &Path, exported: &Exported) -> anyhow::Result<u64> {
    let before = std::fs::read(data.join("throughline.db"))?;
    let ran = run(throughline(data).args(["recover", "--all", "--json"]))?;
    ensure!(ran.code == Some(0), "recover: {:?} {}", ran.code, ran.err);
    ensure!(std::fs::read(data.join("throughline.db"))? == before, "recover has changed the original");
    let report: Value = serde_json::from_str(&ran.out)?;
    let found = report["sessions"].as_array().context("no sessions")?.iter();
    let Some(session) = found.into_iter().find(|one| one["session"] == original.session.as_str()) else {
        bail!("recover has not found the session: {}", ran.out);
    };
    let new = report["data_dir"].as_str().context("no folder")?;
    let export = run(throughline(Path::new(new)).args(["export", &original.session]))?;
    let saved = Exported::parse(&export.out)?;
    for (seq, line) in &saved.records {
        ensure!(original.log.records.get(seq) == Some(line), "recover: record {seq} is another one");
    }
    for seq in exported.records.keys() {
        ensure!(saved.records.contains_key(seq), "record {seq} is exported, but not recovered");
    }
    ensure!(session["records"].as_u64() == Some(saved.records.len() as u64), "{session}");
    Ok(saved.records.len() as u64)
}

/// Runs a command. A panic is a fault of any command.
fn run(command: &mut Command) -> anyhow::Result<Ended> {
    let output = command.stdin(Stdio::null()).output()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let ended = Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    ensure!(!ended.err.contains("panicked"), "{command:?}: {}", ended.err);
    Ok(ended)
}
