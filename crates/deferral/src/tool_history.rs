//! Which tools the model found and called before: a resumed session knows it from its log.

use std::collections::{BTreeMap, BTreeSet};

use throughline_conversation::Message;

use crate::call_tool::deferred_call;
use crate::search_tool::{TOOL_SEARCH, found_names};

/// The tools that the model found and called, with the newest turn of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolHistory {
    pub(crate) found: BTreeMap<String, u64>,
    pub(crate) used: BTreeMap<String, u64>,
    /// The ids of the searches whose results have not come yet.
    searches: BTreeSet<String>,
}

impl ToolHistory {
    /// Notes a message of this turn. Messages come in the order of the log.
    pub fn note(&mut self, message: &Message, turn: u64) {
        for call in message.tool_calls() {
            let meant = deferred_call(call);
            let name = meant.as_ref().map_or(&call.name, |meant| &meant.name);
            self.used.insert(name.clone(), turn);
            if name == TOOL_SEARCH {
                self.searches.insert(call.id.clone());
            }
        }
        for result in message.tool_results() {
            if self.searches.remove(&result.call_id) && !result.is_error {
                self.found.extend(found_names(&result.content).map(|name| (name.to_owned(), turn)));
            }
        }
    }
}

#[cfg(test)]
mod tests;
