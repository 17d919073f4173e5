//! Reads a table and lays it over another one.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::entry::{EntryFault, EntryFields, TableEntry};
use super::error::TableError;
use super::name;
use super::search_price::SearchPrice;
use super::table::{self, TableMatch};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    model: Vec<Spanned<EntryFields>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuiltinFile {
    model: Vec<EntryFields>,
    search: Vec<SearchPrice>,
    /// What the sources of entries are, by their keys.
    sources: BTreeMap<String, String>,
}

/// The entries of the built-in table and the prices of searches, from JSON. `None`: there is a mistake in it.
pub(super) fn builtin(json: &str) -> Option<(Vec<TableEntry>, Vec<SearchPrice>)> {
    let file: BuiltinFile = serde_json::from_str(json).ok()?;
    let mut entries = Vec::with_capacity(file.model.len());
    for mut written in file.model {
        written.source = written.source.map(|key| file.sources.get(&key).cloned().unwrap_or(key));
        lay(&mut entries, &[], written).ok()?;
    }
    let source = |key: &str| file.sources.get(key).cloned();
    Some((entries, file.search.into_iter().map(|search| search.sourced(source)).collect()))
}

/// The entries of `under` with those of the text laid over them. `path` is for errors only.
pub(super) fn lay_over(under: &[TableEntry], text: &str, path: &Path) -> Result<Vec<TableEntry>, TableError> {
    let file: File = toml::from_str(text).map_err(|error| syntax(&error, text, path))?;
    let mut entries = under.to_vec();
    for spanned in file.model {
        let start = spanned.span().start;
        let written = spanned.into_inner();
        let shown = written.name.clone();
        lay(&mut entries, under, written).map_err(|EntryFault { key, fix }| TableError::Entry {
            path: path.to_owned(),
            line: line_of(text, start, key),
            key: format!("`{key}` of {shown:?}"),
            fix,
        })?;
    }
    Ok(entries)
}

fn lay(entries: &mut Vec<TableEntry>, under: &[TableEntry], written: EntryFields) -> Result<(), EntryFault> {
    let own = name::canonical(&written.name);
    let provider = written.provider.as_deref().map(name::provider);
    let same =
        |entry: &&mut TableEntry| entry.is_named(&own) && (provider.is_none() || entry.provider == provider);
    let mut laid = false;
    for entry in entries.iter_mut().filter(same) {
        *entry = TableEntry::new(written.clone(), Some(entry))?;
        laid = true;
    }
    if !laid {
        // Another name for a known model starts from what is known of it.
        let known = match table::search(under, provider.as_deref().unwrap_or_default(), &written.name) {
            Some(TableMatch { entry, family: false, .. }) => Some(entry),
            _ => None,
        };
        entries.push(TableEntry::new(written, known)?);
    }
    Ok(())
}

/// A parse error, with its line and key.
fn syntax(error: &toml::de::Error, text: &str, path: &Path) -> TableError {
    let at = error.span().map_or(0, |span| span.start);
    let line = line_at(text, at);
    let content = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let key = content.split_once('=').map_or(content, |(key, _)| key).trim();
    TableError::Entry {
        path: path.to_owned(),
        line,
        key: format!("`{key}`"),
        fix: error.message().replace('\n', "; "),
    }
}

fn line_at(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// The line of a key within the entry that starts at `start`, or of the entry itself.
fn line_of(text: &str, start: usize, key: &str) -> usize {
    let first = line_at(text, start);
    let is_key = |line: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let entry = text.lines().skip(first).take_while(|line| !line.trim_start().starts_with('['));
    let offset = entry.enumerate().find(|(_, line)| is_key(line)).map_or(0, |(offset, _)| offset + 1);
    first + offset
}
