//! Facts about models that a server reports.

use ollama_rs::models as library;
use serde_json::Value;

/// A model that the server has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalModel {
    /// Its name with its tag, for example `qwen3:8b`.
    pub name: String,
    /// Its size on disk.
    pub bytes: u64,
    /// When it was last changed, as the server writes it (RFC 3339).
    pub modified: String,
}

/// Facts about a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalModelInfo {
    /// Its architecture, for example `qwen3`; empty when the server does not say.
    pub family: String,
    /// How many parameters it has.
    pub parameters: Option<u64>,
    /// The longest context that it was trained for, in tokens. What the server gives it is `num_ctx`, and that costs
    /// memory.
    pub context_length: Option<u64>,
    /// Whether it calls tools.
    pub tools: bool,
    /// Whether it can think before it answers.
    pub thinking: bool,
    /// Whether it accepts images.
    pub vision: bool,
}

/// A step of fetching a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullProgress {
    /// The server's status text: `pulling manifest`, `verifying sha256 digest`, `success`.
    pub status: String,
    /// Bytes of the present file.
    pub total: Option<u64>,
    /// Bytes of it that are there.
    pub completed: Option<u64>,
}

impl From<library::LocalModel> for LocalModel {
    fn from(model: library::LocalModel) -> Self {
        Self { name: model.name, bytes: model.size, modified: model.modified_at }
    }
}

impl From<library::ModelInfo> for LocalModelInfo {
    fn from(model: library::ModelInfo) -> Self {
        let facts = &model.model_info;
        let family = facts.get("general.architecture").and_then(Value::as_str).unwrap_or_default();
        let can = |what: &str| model.capabilities.iter().any(|capability| capability == what);
        // Figures of a model's parts, such as its eye, have the same ending.
        let own = facts.get(&format!("{family}.context_length"));
        let any = || facts.iter().find(|(name, _)| name.ends_with(".context_length")).map(|(_, value)| value);
        Self {
            context_length: own.or_else(any).and_then(Value::as_u64),
            parameters: facts.get("general.parameter_count").and_then(Value::as_u64),
            tools: can("tools"),
            thinking: can("thinking"),
            vision: can("vision"),
            family: family.to_owned(),
        }
    }
}

impl From<library::pull::PullModelStatus> for PullProgress {
    fn from(step: library::pull::PullModelStatus) -> Self {
        Self { status: step.message, total: step.total, completed: step.completed }
    }
}

#[cfg(test)]
mod tests;
