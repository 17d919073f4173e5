//! Searches of the web that a provider runs for its model.

use serde::{Deserialize, Serialize};

/// A page that a search found, or that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSource {
    /// Its address.
    pub url: String,
    /// Its title; empty if the provider gives none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
}

/// A search of the web that the provider ran while it answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSearch {
    /// The provider's id of it.
    pub id: String,
    /// What was searched for; empty where the answer before this one began the search.
    pub query: String,
    /// What came of it.
    pub outcome: SearchOutcome,
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchOutcome {
    /// It has begun.
    Running,
    /// The pages that it found.
    Found(Vec<WebSource>),
    /// It is done, and the provider does not say what it found.
    Unlisted,
    /// It failed, with the provider's word for why.
    Failed(String),
}

impl WebSource {
    /// Title and address on one line.
    #[must_use]
    pub fn line(&self) -> String {
        match self.title.trim() {
            "" => self.url.clone(),
            title => format!("{title} · {}", self.url),
        }
    }

    /// Adds the sources that are not in the list, by their addresses.
    pub fn add_new(list: &mut Vec<Self>, more: impl IntoIterator<Item = Self>) {
        for source in more {
            if !source.url.is_empty() && list.iter().all(|known| known.url != source.url) {
                list.push(source);
            }
        }
    }
}

impl WebSearch {
    /// Maximum number of pages of one search that its summary lists.
    pub const MOST_LISTED: usize = 10;

    /// What came of it as lines of text: the number of results, and the first pages.
    #[must_use]
    pub fn summary(&self) -> String {
        match &self.outcome {
            SearchOutcome::Running => "[the search has not ended]".to_owned(),
            SearchOutcome::Unlisted => "[done; the provider does not list what it found]".to_owned(),
            SearchOutcome::Failed(why) => format!("[the provider's search failed: {why}]"),
            SearchOutcome::Found(sources) => {
                let results = if sources.len() == 1 { "result" } else { "results" };
                let listed = sources.iter().take(Self::MOST_LISTED).enumerate();
                let pages = listed.map(|(index, source)| format!("\n{}. {}", index + 1, source.line()));
                let more = match sources.len().saturating_sub(Self::MOST_LISTED) {
                    0 => String::new(),
                    more => format!("\n[and {more} more]"),
                };
                format!("{} {results}{}{more}", sources.len(), pages.collect::<String>())
            }
        }
    }
}

#[cfg(test)]
mod tests;
