//! The tools of a session.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use throughline_conversation::ToolDefinition;
use throughline_text::nearest_names;

use crate::portable_tool::portable;
use crate::tool::Tool;

/// Reason why a tool was not registered. The registry is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Another tool has this name.
    #[error("cannot register tool {0:?}: another tool has that name; rename one, or leave it out")]
    Duplicate(String),
    /// Providers reject this form of name.
    #[error("cannot register tool {0:?}: a name has 1 to 64 ASCII letters, digits, '_' or '-'")]
    BadName(String),
    /// The schema is not a JSON object, which providers require.
    #[error("cannot register tool {0:?}: the schema of its arguments must be a JSON object")]
    BadSchema(String),
}

/// The tools of a session, in the order in which they were registered.
///
/// The order never changes and a new tool comes last, so the definitions of one request are a prefix of the definitions of
/// the next one.
#[derive(Debug, Clone, Default)]
pub struct ToolRegistry {
    tools: HashMap<String, Arc<dyn Tool>>,
    definitions: Vec<ToolDefinition>,
    /// The shared form of `definitions`, built on first use.
    shared: OnceLock<Arc<[ToolDefinition]>>,
}

impl ToolRegistry {
    /// An empty registry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool at the end. The schema of its arguments is shown in its [portable](crate::PortableSchema) form.
    ///
    /// # Errors
    /// [`RegistryError`] when the name is taken, or when providers would reject the name or the schema.
    pub fn register(&mut self, tool: Arc<dyn Tool>) -> Result<(), RegistryError> {
        let definition = tool.definition();
        let name = definition.name.clone();
        if !definition.has_valid_name() {
            return Err(RegistryError::BadName(name));
        }
        if !definition.input_schema.is_object() {
            return Err(RegistryError::BadSchema(name));
        }
        if self.tools.contains_key(&name) {
            return Err(RegistryError::Duplicate(name));
        }
        let (tool, definition) = portable(tool, definition);
        self.tools.insert(name, tool);
        self.definitions.push(definition);
        self.shared = OnceLock::new();
        Ok(())
    }

    /// The definitions in order. Returns the same allocation until another tool is registered.
    #[must_use]
    pub fn definitions(&self) -> Arc<[ToolDefinition]> {
        Arc::clone(self.shared.get_or_init(|| self.definitions.as_slice().into()))
    }

    /// The tool with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.tools.get(name).map(Arc::clone)
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions.iter().map(|definition| definition.name.as_str())
    }

    /// The error text for a call of a tool that does not exist.
    pub(crate) fn unknown(&self, name: &str) -> String {
        /// Maximum number of names that are suggested.
        const MAX_NAMES: usize = 5;
        let mut close = nearest_names(name, self.names());
        close.truncate(MAX_NAMES);
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
