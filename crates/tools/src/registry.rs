//! The tools of a session.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use throughline_conversation::ToolDefinition;
use throughline_text::nearest_names;

use crate::Tool;

/// A tool that cannot be registered. The registry is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// There is a tool of this name already.
    #[error("cannot register tool {0:?}: another tool has that name; rename one, or leave it out")]
    Duplicate(String),
    /// The name has a form that providers refuse.
    #[error("cannot register tool {0:?}: a name has 1 to 64 ASCII letters, digits, '_' or '-'")]
    BadName(String),
    /// The schema is no JSON object, which providers refuse.
    #[error("cannot register tool {0:?}: the schema of its arguments must be a JSON object")]
    BadSchema(String),
}

/// The tools of a session, in the order in which they were registered.
///
/// The order never changes and a new tool comes last, so the definitions of one request are the beginning of
/// those of the next.
#[derive(Debug, Clone, Default)]
pub struct ToolRegistry {
    tools: HashMap<String, Arc<dyn Tool>>,
    definitions: Vec<ToolDefinition>,
    /// The definitions as they are given out, made when they are first asked for.
    given: OnceLock<Arc<[ToolDefinition]>>,
}

impl ToolRegistry {
    /// A registry without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool at the end.
    ///
    /// # Errors
    /// [`RegistryError`] when the name is taken, or name or schema have a form that providers refuse.
    pub fn register(&mut self, tool: Arc<dyn Tool>) -> Result<(), RegistryError> {
        let definition = tool.definition();
        let name = definition.name.clone();
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
            return Err(RegistryError::BadName(name));
        }
        if !definition.input_schema.is_object() {
            return Err(RegistryError::BadSchema(name));
        }
        if self.tools.contains_key(&name) {
            return Err(RegistryError::Duplicate(name));
        }
        self.tools.insert(name, tool);
        self.definitions.push(definition);
        self.given = OnceLock::new();
        Ok(())
    }

    /// What the model is told of the tools. The same allocation while nothing is registered.
    #[must_use]
    pub fn definitions(&self) -> Arc<[ToolDefinition]> {
        Arc::clone(self.given.get_or_init(|| self.definitions.as_slice().into()))
    }

    /// The tool of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.tools.get(name).map(Arc::clone)
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions.iter().map(|definition| definition.name.as_str())
    }

    /// What a model reads that called a tool which is not there.
    pub(crate) fn unknown(&self, name: &str) -> String {
        /// More names than this say less.
        const MOST: usize = 5;
        let mut close = nearest_names(name, self.names());
        close.truncate(MOST);
        if !close.is_empty() {
            return format!(
                "There is no tool named {name:?}. Tools with a similar name: {}.",
                close.join(", ")
            );
        }
        let all: Vec<&str> = self.names().collect();
        match all.as_slice() {
            [] => format!("There is no tool named {name:?}: this session has no tools. Answer in text."),
            all => format!("There is no tool named {name:?}. The tools are: {}.", all.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests;
