//! A server's list of tools, page by page.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::remote::{RemoteTool, shown};
use crate::{ServerConfig, bounds};

/// The tools that a server has, and what is to be told about them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Listed {
    /// In order of the server's names.
    pub(crate) tools: Vec<Arc<RemoteTool>>,
    /// What was left out, and why.
    pub(crate) notes: Vec<String>,
}

/// Takes pages until there are no more, or too many.
#[derive(Debug)]
pub(crate) struct Listing<'a> {
    config: &'a ServerConfig,
    listed: Listed,
    names: BTreeSet<String>,
    cursors: BTreeSet<String>,
    pages: usize,
}

impl<'a> Listing<'a> {
    pub(crate) fn new(config: &'a ServerConfig) -> Self {
        Self { config, listed: Listed::default(), names: BTreeSet::new(), cursors: BTreeSet::new(), pages: 0 }
    }

    /// Takes a page. `Some`: the cursor of the next one, which should be asked for.
    pub(crate) fn take(&mut self, page: &Value) -> Option<String> {
        self.pages += 1;
        for entry in page.get("tools").and_then(Value::as_array).into_iter().flatten() {
            self.take_entry(entry);
        }
        let cursor = page.get("nextCursor").and_then(Value::as_str)?;
        let goes_on = if !self.cursors.insert(cursor.to_owned()) {
            "it names a page that was read already"
        } else if self.pages >= bounds::PAGES {
            "it has too many pages"
        } else if self.names.len() >= bounds::TOOLS {
            "it has too many tools"
        } else {
            return Some(cursor.to_owned());
        };
        self.listed.notes.push(format!(
            "its list of tools is cut off after {} pages and {} tools: {goes_on}",
            self.pages,
            self.names.len()
        ));
        None
    }

    fn take_entry(&mut self, entry: &Value) {
        let name = entry.get("name").and_then(Value::as_str).unwrap_or_default();
        if self.config.disabled_tools.contains(name) || self.names.len() >= bounds::TOOLS {
            return;
        }
        match RemoteTool::read(&self.config.name, entry) {
            Ok(tool) if self.names.insert(tool.name.clone()) => self.listed.tools.push(Arc::new(tool)),
            Ok(tool) => self.note(format!("the tool {} is named twice; the first counts", shown(&tool.name))),
            Err(why) => self.note(why),
        }
    }

    fn note(&mut self, note: String) {
        /// More than these say nothing new.
        const MOST: usize = 20;
        if self.listed.notes.len() < MOST {
            self.listed.notes.push(note);
        }
    }

    /// What was taken.
    pub(crate) fn finish(mut self) -> Listed {
        self.listed.tools.sort_by(|a, b| a.name.cmp(&b.name));
        self.listed
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Listed, Listing};
    use crate::{ServerConfig, Transport};

    fn config() -> ServerConfig {
        let transport = Transport::Http { url: "http://h".to_owned(), headers: Default::default() };
        let mut config = ServerConfig::new("s", transport);
        config.disabled_tools.insert("off".to_owned());
        config
    }

    fn read(mut page: impl FnMut(Option<String>) -> Value) -> Listed {
        let config = config();
        let mut listing = Listing::new(&config);
        let mut cursor = None;
        loop {
            let next = listing.take(&page(cursor));
            if next.is_none() {
                return listing.finish();
            }
            cursor = next;
        }
    }

    fn names(listed: &Listed) -> Vec<&str> {
        listed.tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    #[test]
    fn pages_are_put_together_in_order_of_name() {
        let listed = read(|cursor| match cursor.as_deref() {
            None => json!({"tools": [{"name": "b"}, {"name": "off"}, {}], "nextCursor": "2"}),
            Some(_) => json!({"tools": [{"name": "a"}, {"name": "b"}, 7], "nextCursor": null}),
        });
        assert_eq!(names(&listed), ["a", "b"]);
        assert_eq!(
            listed.notes,
            [
                "a tool without a name is left out",
                "the tool \"b\" is named twice; the first counts",
                "a tool without a name is left out",
            ]
        );
        assert_eq!(read(|_| json!({"tools": "none"})), Listed::default());
        assert_eq!(read(|_| json!(null)), Listed::default());
    }

    #[test]
    fn a_list_without_an_end_is_cut_off() {
        let same = read(|_| json!({"tools": [{"name": "a"}], "nextCursor": "again"}));
        assert_eq!(names(&same), ["a"]);
        assert!(
            same.notes.iter().any(|note| note.contains("a page that was read already")),
            "{:?}",
            same.notes
        );
        let mut page = 0;
        let pages = read(|_| {
            page += 1;
            json!({"tools": [{"name": format!("t{page}")}], "nextCursor": page.to_string()})
        });
        assert_eq!((page, pages.tools.len()), (100, 100));
        let mut tool = 0;
        let many = read(|_| {
            let tools: Vec<Value> = (0..300).map(|i| json!({"name": format!("t{tool}-{i}")})).collect();
            tool += 1;
            json!({"tools": tools, "nextCursor": tool.to_string()})
        });
        assert_eq!(many.tools.len(), 1_000);
        assert!(many.notes[0].contains("too many tools"), "{:?}", many.notes);
    }
}
