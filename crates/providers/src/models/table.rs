//! The table and how it is searched.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::entry::TableEntry;
use super::error::TableError;
use super::row::ModelRow;
use super::search_price::SearchPrice;
use super::{name, parse, resolve};

/// `models.toml`, which the build script converts: JSON is read several times faster, and each start reads it.
const BUILTIN: &str = include_str!(concat!(env!("OUT_DIR"), "/models.json"));

/// The table of models. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ModelTable {
    entries: Arc<Vec<TableEntry>>,
    searches: Arc<Vec<SearchPrice>>,
    fingerprint: u64,
}

impl ModelTable {
    /// The table that comes with the program. It is read once.
    #[must_use]
    pub fn builtin() -> Self {
        static TABLE: OnceLock<ModelTable> = OnceLock::new();
        let read = || {
            // The tests read it, so it can be read.
            let (mut entries, searches) = parse::builtin(BUILTIN).unwrap_or_default();
            // What is said there is no wish of the user.
            entries.iter_mut().for_each(|entry| entry.window_said = false);
            let fingerprint = fingerprint(BUILTIN, "");
            Self { entries: Arc::new(entries), searches: Arc::new(searches), fingerprint }
        };
        TABLE.get_or_init(read).clone()
    }

    /// The built-in table overridden by a user's file: an entry of a known name changes the fields that it sets and
    /// leaves the rest; an entry of a new name is a new model. With a provider it is about that provider only.
    pub fn with_overrides(path: &Path) -> Result<Self, TableError> {
        let text =
            fs::read_to_string(path).map_err(|source| TableError::Read { path: path.to_owned(), source })?;
        let Self { entries, searches, .. } = Self::builtin();
        let entries = parse::lay_over(&entries, &text, path)?;
        Ok(Self { entries: Arc::new(entries), searches, fingerprint: fingerprint(BUILTIN, &text) })
    }

    /// Changes with what the table says, and may change with the version of the program.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Looks up a model at a provider: `anthropic`, `openai`, `gemini`, `gemini_gca`, `ollama`, or any other name for a server
    /// that speaks OpenAI's protocol.
    ///
    /// Tried in this order: the name or an alias; a dated or `-latest` form of one; the longest family; each also
    /// without the vendors in front (`anthropic/claude-…`); then the provider's safe default. Entries of the
    /// provider come before entries of others.
    #[must_use]
    pub fn find(&self, provider: &str, model: &str) -> ModelRow {
        let found = search(&self.entries, &name::provider(provider), model);
        let searches = SearchPrice::of(&self.searches, provider, model);
        resolve::row(found, searches, provider, model)
    }

    /// The provider whose model this is, by its name alone. `None`: the table has no such model, or several providers
    /// serve it.
    #[must_use]
    pub fn provider_of(&self, model: &str) -> Option<&str> {
        search(&self.entries, "", model)?.entry.provider.as_deref()
    }
}

fn fingerprint(builtin: &str, overrides: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (builtin, overrides).hash(&mut hasher);
    hasher.finish()
}

/// An entry that matches a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableMatch<'a> {
    pub(super) entry: &'a TableEntry,
    /// Which of its names matched, as written.
    pub(super) by: &'a str,
    /// Whether it is only the family.
    pub(super) family: bool,
}

/// How a name of an entry matches a name that is looked up, the better way last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Family,
    Edition,
    Name,
}

/// The nearest entry. The better way of matching wins, then the longer name, then the provider's own entry, then
/// the later one.
pub(super) fn search<'a>(entries: &'a [TableEntry], provider: &str, model: &str) -> Option<TableMatch<'a>> {
    let candidates = name::candidates(model);
    let mut best = None;
    for (place, entry) in entries.iter().enumerate() {
        let of_provider = entry.provider.as_deref() == Some(provider);
        for own in &entry.names {
            let Some(way) = candidates.iter().filter_map(|name| way(entry, &own.compared, name)).max() else {
                continue;
            };
            let rank = (way, own.compared.len(), of_provider, place);
            if best.is_none_or(|(highest, _)| rank > highest) {
                best = Some((rank, TableMatch { entry, by: &own.written, family: way == Way::Family }));
            }
        }
    }
    best.map(|(_, found)| found)
}

fn way(entry: &TableEntry, own: &str, name: &str) -> Option<Way> {
    Some(match name::rest(name, own)? {
        _ if entry.family => Way::Family,
        "" => Way::Name,
        rest if name::is_edition(rest) => Way::Edition,
        _ => Way::Family,
    })
}
