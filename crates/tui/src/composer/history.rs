//! Earlier inputs: one after the other, or by a part of their text.

/// Most stored inputs.
const MAX_ENTRIES: usize = 1_000;

/// Earlier inputs, and the place among them.
#[derive(Debug, Default)]
pub(crate) struct History {
    entries: Vec<String>,
    /// The entry that is shown; `None`: what the user writes now.
    at: Option<usize>,
    draft: String,
}

impl History {
    /// Puts these before all that were sent from this screen.
    pub(crate) fn earlier(&mut self, mut entries: Vec<String>) {
        entries.append(&mut self.entries);
        let more = entries.len().saturating_sub(MAX_ENTRIES);
        entries.drain(..more);
        self.entries = entries;
        self.at = None;
    }

    /// Takes what was sent.
    pub(crate) fn sent(&mut self, text: &str) {
        self.at = None;
        if self.entries.last().is_some_and(|last| last == text) {
            return;
        }
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.remove(0);
        }
        self.entries.push(text.to_owned());
    }

    /// The entry before the one that is shown; `current` is the text of the input.
    pub(crate) fn back(&mut self, current: &str) -> Option<&str> {
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

    /// The entry after the one that is shown, in the end what was being written.
    pub(crate) fn forth(&mut self) -> Option<&str> {
        let at = self.at? + 1;
        if at < self.entries.len() {
            self.at = Some(at);
            return self.entries.get(at).map(String::as_str);
        }
        self.at = None;
        Some(&self.draft)
    }

    /// The user writes: the shown entry is the user's own now.
    pub(crate) fn leave(&mut self) {
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
pub(crate) struct Search {
    pub(crate) query: String,
    found: Option<usize>,
}

impl Search {
    /// What is found.
    pub(crate) fn found<'a>(&self, history: &'a History) -> Option<&'a str> {
        history.entries.get(self.found?).map(String::as_str)
    }

    /// The words searched for have changed.
    pub(crate) fn again(&mut self, history: &History) {
        self.found = if self.query.is_empty() { None } else { history.find(&self.query, usize::MAX) };
    }

    /// An older one.
    pub(crate) fn older(&mut self, history: &History) {
        let before = self.found.unwrap_or(usize::MAX);
        if let Some(older) = history.find(&self.query, before) {
            self.found = Some(older);
        }
    }
}

#[cfg(test)]
mod tests;
