//! What must be true of a session that has come to its end, however often it was killed.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use throughline_conversation::{Message, Record, RecordBody, Source};

use crate::life::{SESSION, World};
use crate::log::{request, requests, said};
use crate::project::git;

/// The messages of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Story {
    /// The user's messages.
    pub(crate) user: Vec<String>,
    /// The model's texts, without the calls that it made again.
    pub(crate) model: Vec<String>,
}

impl Story {
    pub(crate) fn of(records: &[Record]) -> Self {
        let first_time = |message: &&Message| !message.tool_calls().any(|call| call.id.ends_with("-again"));
        let model = said(records, |source| matches!(source, Source::Model(_)));
        Self {
            user: said(records, |source| *source == Source::User).into_iter().map(Message::text).collect(),
            model: model.into_iter().filter(first_time).map(Message::text).collect(),
        }
    }
}

/// Every request of the log is numbered in order, and one that the provider takes.
pub(crate) fn check_requests(records: &[Record]) -> anyhow::Result<()> {
    let mut expected = 0;
    for record in records {
        if let RecordBody::Receipt(receipt) = &record.body {
            expected += 1;
            ensure!(
                receipt.request == expected,
                "request {} stands where {expected} should",
                receipt.request
            );
        }
    }
    (1..=requests(records)).try_for_each(|number| request(records, number).map(drop))
}

/// Every stored result that the log names is in the database, whole, and the database is sound.
pub(crate) fn check_database(world: &World, records: &[Record]) -> anyhow::Result<()> {
    let path = world.data().join("throughline.db");
    let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let sound: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    ensure!(sound == "ok", "the database is damaged: {sound}");
    let mut find = database
        .prepare("SELECT length(content) FROM tool_result_blobs WHERE session_id = ?1 AND id = ?2")?;
    let mut size = |name: &str| -> anyhow::Result<u64> {
        let found: Option<i64> = find.query_row([SESSION, name], |row| row.get(0)).optional()?;
        let bytes = found.with_context(|| format!("result {name} is named in the log and not stored"))?;
        Ok(bytes.unsigned_abs())
    };
    for record in records {
        match &record.body {
            RecordBody::Receipt(receipt) => {
                for stored in &receipt.offloaded {
                    let bytes = size(stored.stored.as_str())?;
                    ensure!(
                        bytes == stored.bytes,
                        "result {} has {bytes} of {} bytes",
                        stored.stored,
                        stored.bytes
                    );
                }
            }
            RecordBody::Message(said) => {
                for result in said.message.tool_results() {
                    named(&result.content).try_for_each(|name| size(name).map(drop))?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The references that a text names.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.split("ref_id=\"").skip(1).filter_map(|rest| rest.split_once('"').map(|(name, _)| name))
}

/// The work itself is done, and done once: the bug is fixed in one commit.
pub(crate) fn check_project(world: &World) -> anyhow::Result<()> {
    // A tool that outlived its killed process may still be at the commit.
    let patience = Instant::now() + Duration::from_secs(30);
    loop {
        let commits = git(&world.project(), &["rev-list", "--count", "HEAD"])?;
        if commits.trim() == "2" {
            break;
        }
        ensure!(Instant::now() < patience, "the project has {} commits", commits.trim());
        std::thread::sleep(Duration::from_millis(50));
    }
    let fix = git(&world.project(), &["show", "HEAD:lib/invoice.awk"])?;
    ensure!(fix.contains("+ 500"), "the commit does not fix the bug: {fix}");
    Ok(())
}
