//! Earlier inputs, one by one or by a part of their text.

/// Maximum stored inputs.
const MAX_ENTRIES: usize = 1_000;

/// Earlier inputs, of which the input may show one.
#[derive(Debug, Default)]
pub(super) struct History {
    entries: Vec<String>,
    /// The shown entry; `None`: the draft.
    at: Option<usize>,
    draft: String,
}

impl History {
    /// Adds inputs from before this screen.
    pub(super) fn prepend(&mut self, mut entries: Vec<String>) {
        entries.append(&mut self.entries);
        let more = entries.len().saturating_sub(MAX_ENTRIES);
        entries.drain(..more);
        self.entries = entries;
        self.at = None;
    }

    /// Adds an input that was sent.
    pub(super) fn push(&mut self, text: &str) {
        self.at = None;
        if self.entries.last().is_some_and(|last| last == text) {
            return;
        }
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.remove(0);
        }
        self.entries.push(text.to_owned());
    }

    /// The entry before the shown one; `current` is the text of the input.
    pub(super) fn previous(&mut self, current: &str) -> Option<&str> {
        let at = match self.at {
            None => {
                let newest = self.entries.len().checked_sub(1)?;
                self.draft = current.to_owned();
                newest
            }
            Some(at) => at.checked_sub(1)?,
        };
        self.at = Some(at);
        self.entries.get(at).map(String::as_str)
    }

    /// The entry after the shown one; after the newest, the draft.
    pub(super) fn next(&mut self) -> Option<&str> {
        let at = self.at? + 1;
        if at < self.entries.len() {
            self.at = Some(at);
            return self.entries.get(at).map(String::as_str);
        }
        self.at = None;
        Some(&self.draft)
    }

    /// The text of the input was changed: it is a new draft, whichever entry it began as.
    pub(super) fn detach(&mut self) {
        self.at = None;
    }

    fn find(&self, query: &str, before: usize) -> Option<usize> {
        let query = query.to_lowercase();
        let upto = before.min(self.entries.len());
        let older = self.entries.get(..upto).unwrap_or_default();
        older.iter().rposition(|entry| entry.to_lowercase().contains(&query))
    }
}

/// A search through earlier inputs.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) query: String,
    found: Option<usize>,
}

impl Search {
    /// The entry that matches.
    pub(super) fn found<'a>(&self, history: &'a History) -> Option<&'a str> {
        history.entries.get(self.found?).map(String::as_str)
    }

    /// The query has changed: the newest match.
    pub(super) fn restart(&mut self, history: &History) {
        self.found = if self.query.is_empty() { None } else { history.find(&self.query, usize::MAX) };
    }

    /// The next older match.
    pub(super) fn older(&mut self, history: &History) {
        let before = self.found.unwrap_or(usize::MAX);
        if let Some(older) = history.find(&self.query, before) {
            self.found = Some(older);
        }
    }
}

#[cfg(test)]
mod tests;
