//! Ids for calls that come without one.

use std::collections::BTreeSet;

use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::stream::tool_input;

/// Gives each call of one answer a unique id.
#[derive(Debug, Default)]
pub(crate) struct CallIds {
    prefix: String,
    count: usize,
    taken: BTreeSet<String>,
}

impl CallIds {
    pub(crate) fn new(prefix: String, taken: impl IntoIterator<Item = String>) -> Self {
        Self { prefix, count: 0, taken: taken.into_iter().collect() }
    }

    /// The calls that a server wrote as one, which is one call unless its arguments are several objects. The first has the id that
    /// was given.
    pub(crate) fn calls(&mut self, given: &str, name: &str, arguments: &Value) -> Vec<ToolCall> {
        let inputs = tool_input::each(arguments).into_iter();
        inputs.map(|input| ToolCall { id: self.take(given), name: name.to_owned(), input }).collect()
    }

    /// The id given by the server, or, when that is empty or taken, one made of the prefix and the call's place in
    /// the answer: the same answer always has the same ids.
    fn take(&mut self, given: &str) -> String {
        self.count += 1;
        let mut id = given.to_owned();
        let mut place = self.count;
        // Kimi counts its calls through the session, and its template reads the names out of the ids.
        let counted = given.rsplit_once(':').filter(|(name, _)| name.starts_with("functions."));
        let mut number = counted.and_then(|(_, number)| number.parse::<u64>().ok());
        while id.is_empty() || self.taken.contains(&id) {
            id = match (counted, &mut number) {
                (Some((name, _)), Some(number)) => {
                    *number = number.saturating_add(1);
                    format!("{name}:{number}")
                }
                _ => {
                    place += 1;
                    format!("{}call_{}", self.prefix, place - 1)
                }
            };
        }
        self.taken.insert(id.clone());
        id
    }
}
