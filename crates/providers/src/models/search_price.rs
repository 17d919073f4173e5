//! What searches of the web by a provider cost.

use serde::Deserialize;

use super::name;

/// The search of a provider, for some of its models or all.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchPrice {
    provider: String,
    /// Beginnings of names; empty: all models.
    #[serde(default)]
    models: Vec<String>,
    /// Whether the model takes it next to functions.
    #[serde(default = "yes")]
    pub(super) offered: bool,
    /// For 1,000 searches.
    dollars: f64,
    source: String,
}

fn yes() -> bool {
    true
}

impl SearchPrice {
    /// The search that a model has at a provider; `None`: the provider has none.
    pub(super) fn of<'a>(all: &'a [Self], provider: &str, model: &str) -> Option<&'a Self> {
        let model = name::canonical(model);
        let name = model.rsplit('/').next().unwrap_or(&model);
        let covers = |search: &&Self| {
            let starts = |start: &String| name.starts_with(&name::canonical(start));
            search.provider == provider && (search.models.is_empty() || search.models.iter().any(starts))
        };
        all.iter().find(covers)
    }

    /// US dollars for one search.
    pub(super) fn dollars_per_search(&self) -> f64 {
        self.dollars / 1_000.0
    }

    /// The same with the text of its source in place of its key.
    pub(super) fn sourced(self, text: impl Fn(&str) -> Option<String>) -> Self {
        let source = text(&self.source).unwrap_or_else(|| self.source.clone());
        Self { source, ..self }
    }

    /// Where the price is from, and the day on which it was read.
    pub(super) fn source(&self) -> &str {
        &self.source
    }
}
