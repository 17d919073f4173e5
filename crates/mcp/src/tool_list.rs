//! Reads the tool list of a server, page by page.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::config::ServerConfig;
use crate::limits;
use crate::page_cursors::{NextPage, PageCursors};
use crate::remote_tool::{RemoteTool, quoted};
use throughline_text::counted;

/// The tools of a server, and notes about the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ToolList {
    /// Ordered by the server's own names.
    pub(crate) tools: Vec<Arc<RemoteTool>>,
    /// Which tools are missing, and why, for the user.
    pub(crate) notes: Vec<String>,
    /// How long the server says that the list holds; `None`: until it announces a change.
    pub(crate) fresh: Option<Duration>,
}

/// Collects pages until the last one or a limit.
#[derive(Debug)]
pub(crate) struct ToolListReader<'a> {
    config: &'a ServerConfig,
    listed: ToolList,
    names: BTreeSet<String>,
    cursors: PageCursors,
    /// Names of tools beyond the limit.
    beyond: Vec<String>,
}

impl<'a> ToolListReader<'a> {
    pub(crate) fn new(config: &'a ServerConfig) -> Self {
        Self {
            config,
            listed: ToolList::default(),
            names: BTreeSet::new(),
            cursors: PageCursors::default(),
            beyond: Vec::new(),
        }
    }

    /// Adds a page. Returns the cursor of the next page to request.
    pub(crate) fn add_page(&mut self, page: &Value) -> Option<String> {
        if let Some(ms) = page.get("ttlMs").and_then(Value::as_i64) {
            let fresh = Duration::from_millis(ms.max(0).unsigned_abs());
            self.listed.fresh = Some(self.listed.fresh.map_or(fresh, |known| known.min(fresh)));
        }
        for entry in page.get("tools").and_then(Value::as_array).into_iter().flatten() {
            self.add_entry(entry);
        }
        let reason = match self.cursors.next(page) {
            NextPage::Last => return None,
            NextPage::At(_) if self.names.len() >= limits::TOOLS => "it has too many tools",
            NextPage::At(cursor) => return Some(cursor),
            NextPage::Truncated(reason) => reason,
        };
        self.listed.notes.push(format!(
            "its tool list is truncated after {} and {}: {reason}",
            counted(self.cursors.pages() as u64, "page"),
            counted(self.names.len() as u64, "tool")
        ));
        None
    }

    fn add_entry(&mut self, entry: &Value) {
        let name = entry.get("name").and_then(Value::as_str).unwrap_or_default();
        if self.config.disabled_tools.contains(name) {
            return;
        }
        if self.names.len() >= limits::TOOLS {
            self.beyond.push(quoted(name));
            return;
        }
        match RemoteTool::parse(&self.config.name, entry) {
            Ok(tool) if self.names.insert(tool.name.clone()) => self.listed.tools.push(Arc::new(tool)),
            Ok(tool) => self.note(format!(
                "the tool {} is listed twice; the second entry is ignored",
                quoted(&tool.name)
            )),
            Err(why) => self.note(why),
        }
    }

    fn note(&mut self, note: String) {
        /// Maximum number of notes about a list.
        const MAX_NOTES: usize = 20;
        if self.listed.notes.len() < MAX_NOTES {
            self.listed.notes.push(note);
        }
    }

    /// The collected tools.
    pub(crate) fn finish(mut self) -> ToolList {
        /// Names that a note shows.
        const SHOWN: usize = 3;
        if let Some(shown) = self.beyond.get(..SHOWN.min(self.beyond.len())).filter(|shown| !shown.is_empty())
        {
            let dots = if self.beyond.len() > SHOWN { ", …" } else { "" };
            self.listed.notes.push(format!(
                "{} of its tools are not offered, beyond the limit of {}: {}{dots}; list those that you do not need in \
                 `disabled_tools`",
                self.beyond.len(),
                limits::TOOLS,
                shown.join(", ")
            ));
        }
        self.listed.tools.sort_by(|a, b| a.name.cmp(&b.name));
        self.listed
    }
}

#[cfg(test)]
mod tests;
