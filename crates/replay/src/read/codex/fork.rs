//! Forks of Codex: a session that begins with the records of another.
//!
//! The file of a fork names the session that it was forked from, and the ordinal of the first record that is not in it. Earlier
//! versions copied the records.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::content::{get, text_of};
use super::super::lines::JsonLines;
use super::super::source;

/// Maximum number of forks of forks.
const DEPTH: usize = 32;

/// Folders below that of all sessions: a year, a month and a day.
const LEVELS: usize = 3;

/// Maximum bytes of a file's first line, which has the id.
const FIRST_LINE: u64 = 1024 * 1024;

/// The folder that has sessions which the user has put away, next to that of all sessions.
const ARCHIVED: &str = "archived_sessions";

/// The records with which a session begins that are in the files of others, oldest first, and what is missing of them.
#[derive(Debug, Default)]
pub(in super::super) struct InheritedRecords {
    pub(super) values: Vec<Value>,
    pub(in super::super) missing: Option<String>,
}

impl InheritedRecords {
    /// Finds them next to the file, or in the folder of all sessions.
    pub(in super::super) fn of(path: &Path, lines: &JsonLines) -> Self {
        Self::within(path, lines, DEPTH)
    }

    fn within(path: &Path, lines: &JsonLines, depth: usize) -> Self {
        let Some(fork) = ForkPoint::of(lines) else { return Self::default() };
        let missing = |why: &str| Self {
            values: Vec::new(),
            missing: Some(format!(
                "{}: it was forked from the session {}, {why}; the {} records before the fork are missing",
                path.display(),
                fork.parent,
                fork.end
            )),
        };
        let Some(file) = found(path, fork.parent) else { return missing("whose file was not found") };
        let Some(depth) = depth.checked_sub(1) else { return missing("after too many other forks") };
        let Ok(bytes) = source::load(&file) else { return missing("whose file cannot be read") };
        let parent = JsonLines::of(&bytes);
        let mut inherited = Self::within(&file, &parent, depth);
        let is_before = |value: &Value, place: usize| {
            value.get("ordinal").and_then(Value::as_u64).unwrap_or(place as u64) < fork.end
        };
        inherited.values.retain(|value| is_before(value, 0));
        let own = parent.values.into_iter().enumerate();
        let own = own.filter(|(place, (_, value))| is_before(value, *place)).map(|(_, (_, value))| value);
        inherited.values.extend(own.filter(|value| text_of(value, "type") != Some("session_meta")));
        inherited
    }
}

/// Where a session was forked from another.
struct ForkPoint<'v> {
    parent: &'v str,
    /// The ordinal of the first record that the fork does not have.
    end: u64,
}

impl<'v> ForkPoint<'v> {
    /// `None`: it is no fork, or has a copy of the records.
    fn of(lines: &'v JsonLines) -> Option<Self> {
        let mut heads = lines.values.iter().filter_map(|(_, value)| head(value));
        let own = heads.next()?;
        let parent = text_of(own, "forked_from_id")?;
        let end = own.get("forked_from_ordinal_exclusive").and_then(Value::as_u64)?;
        let is_copied = heads.any(|head| text_of(head, "id") == Some(parent));
        (!is_copied && end > 0).then_some(Self { parent, end })
    }
}

/// What a line says of its session, if it is the head of one.
pub(super) fn head(value: &Value) -> Option<&Value> {
    value.get("payload").filter(|_| text_of(value, "type") == Some("session_meta"))
}

/// The file of the session of this id.
fn found(path: &Path, id: &str) -> Option<PathBuf> {
    let folder = path.parent()?;
    let is_dated = |folder: &&Path| {
        folder
            .file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()))
    };
    let above = folder.ancestors().take_while(is_dated).filter_map(Path::parent).take(LEVELS).last();
    let all = above.unwrap_or(folder);
    named(folder, id, 0)
        .or_else(|| named(all, id, LEVELS))
        .or_else(|| named(&all.parent()?.join(ARCHIVED), id, LEVELS))
        .or_else(|| files(folder).into_iter().find(|file| file != path && begins_with(file, id)))
}

/// The file in a folder, or in those below it, whose name ends with this id.
fn named(folder: &Path, id: &str, levels: usize) -> Option<PathBuf> {
    let is_named = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        source::unpacked_name(name)
            .strip_suffix(".jsonl")
            .and_then(|stem| stem.strip_suffix(id))
            .is_some_and(|start| start.ends_with('-'))
    };
    if let Some(file) = files(folder).into_iter().find(is_named) {
        return Some(file);
    }
    let levels = levels.checked_sub(1)?;
    let below = fs::read_dir(folder).ok()?.flatten();
    let below = below.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    below.into_iter().find_map(|entry| named(&entry.path(), id, levels))
}

/// The files of a folder, sorted. Links are not followed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Returns true if the first line of a file is the head of the session of this id.
fn begins_with(file: &Path, id: &str) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_lines = source::unpacked_name(name).ends_with(".jsonl");
    let value = is_lines.then(|| source::first_value(file, FIRST_LINE)).flatten();
    value.as_ref().and_then(|value| get(value, &["payload", "id"])).and_then(Value::as_str) == Some(id)
}
