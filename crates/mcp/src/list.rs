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
mod tests;
