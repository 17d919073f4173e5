//! What servers have said of the limits of their models, stored for all sessions of a data folder.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use throughline_agent::{Clock as _, LearnedLimit, SystemClock};
use throughline_config::{ConfigError, JsonFile};
use throughline_conversation::{Millis, ServerAddress};

/// Fewer tokens than this are no window.
const SMALLEST_WINDOW: u64 = 1_024;

/// The file of limits in a data folder.
#[derive(Debug, Clone)]
pub struct LimitsFile(JsonFile);

/// The limits of one model at one server. Fields of a later version of this program stay.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct KnownLimits {
    /// Its window, from an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<StoredLimit>,
    /// The most tokens of an answer, from an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<StoredLimit>,
    /// The server's description of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<AskedLimits>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// A limit, and when it was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredLimit {
    /// Tokens.
    pub tokens: u64,
    /// When.
    pub at: Millis,
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// What a server has answered when it was asked for a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskedLimits {
    /// The window in tokens; `None`: the answer does not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// The window that the model was made for, in tokens. The server may give it less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<u64>,
    /// The most tokens of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u64>,
    /// When.
    pub at: Millis,
    #[serde(flatten)]
    more: Map<String, Value>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredLimits {
    /// By server and model, as [`key`] writes them.
    #[serde(default)]
    models: BTreeMap<String, KnownLimits>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl StoredLimit {
    fn now(tokens: u64) -> Self {
        Self { tokens, at: SystemClock.now(), more: Map::new() }
    }
}

impl AskedLimits {
    /// An answer of now.
    #[cfg(any(feature = "anthropic", feature = "openai"))]
    pub(crate) fn now(window: Option<u64>, native: Option<u64>, max_output: Option<u64>) -> Self {
        Self { window, native, max_output, at: SystemClock.now(), more: Map::new() }.usable()
    }

    fn usable(self) -> Self {
        let window = |tokens: Option<u64>| tokens.filter(|tokens| *tokens >= SMALLEST_WINDOW);
        let max_output = self.max_output.filter(|tokens| *tokens > 0);
        Self { window: window(self.window), native: window(self.native), max_output, ..self }
    }
}

impl LimitsFile {
    /// The file of a data folder. It need not exist.
    #[must_use]
    pub fn in_folder(data: &Path) -> Self {
        Self(JsonFile::new(data.join("limits.json")))
    }

    /// What a server has said of a model.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(&self, server: &ServerAddress, model: &str) -> Result<KnownLimits, ConfigError> {
        let mut stored: StoredLimits = self.0.read()?;
        Ok(stored.models.remove(&key(server, model)).map(KnownLimits::usable).unwrap_or_default())
    }

    /// All of them, by `host:port/model`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn all(&self) -> Result<Vec<(String, KnownLimits)>, ConfigError> {
        let stored: StoredLimits = self.0.read()?;
        Ok(stored.models.into_iter().map(|(key, limits)| (key, limits.usable())).collect())
    }

    /// Stores a limit that a server has said in an error.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn learn(&self, server: &ServerAddress, model: &str, limit: LearnedLimit) -> Result<(), ConfigError> {
        self.change(server, model, |known| match limit {
            LearnedLimit::Window(tokens) => known.window = Some(StoredLimit::now(tokens)),
            LearnedLimit::MaxOutput(tokens) => known.max_output = Some(StoredLimit::now(tokens)),
        })
    }

    /// Stores what a server has answered when it was asked.
    ///
    /// # Errors
    /// The file cannot be changed.
    #[cfg(any(feature = "anthropic", feature = "openai"))]
    pub(crate) fn store_asked(
        &self,
        server: &ServerAddress,
        model: &str,
        asked: &AskedLimits,
    ) -> Result<(), ConfigError> {
        self.change(server, model, |known| known.asked = Some(asked.clone()))
    }

    /// Forgets the limits of a model, named alone (at all servers) or as `host:port/model`. Returns what was forgotten.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn forget(&self, name: &str) -> Result<Vec<(String, KnownLimits)>, ConfigError> {
        let is_named = |key: &str| key == name || key.split_once('/').is_some_and(|(_, model)| model == name);
        let mut forgotten = Vec::new();
        if !self.all()?.iter().any(|(key, _)| is_named(key)) {
            return Ok(forgotten);
        }
        self.0.change(|stored: &mut StoredLimits| {
            let (gone, stays) =
                std::mem::take(&mut stored.models).into_iter().partition(|(key, _)| is_named(key));
            stored.models = stays;
            let gone: BTreeMap<String, KnownLimits> = gone;
            forgotten = gone.into_iter().collect();
        })?;
        Ok(forgotten)
    }

    fn change(
        &self,
        server: &ServerAddress,
        model: &str,
        change: impl FnOnce(&mut KnownLimits),
    ) -> Result<(), ConfigError> {
        let key = key(server, model);
        self.0.change(|stored: &mut StoredLimits| change(stored.models.entry(key).or_default()))
    }
}

impl KnownLimits {
    /// Without figures that cannot be worked with: somebody else wrote them.
    fn usable(mut self) -> Self {
        self.window = self.window.filter(|limit| limit.tokens >= SMALLEST_WINDOW);
        self.max_output = self.max_output.filter(|limit| limit.tokens > 0);
        self.asked = self.asked.map(AskedLimits::usable);
        self
    }
}

fn key(server: &ServerAddress, model: &str) -> String {
    format!("{}:{}/{model}", server.host, server.port)
}

#[cfg(test)]
mod tests;
