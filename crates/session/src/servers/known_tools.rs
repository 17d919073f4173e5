//! The definitions of MCP tools that the user has seen. A server can change a description between two sessions, and a
//! description instructs the model.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use throughline_conversation::ToolDefinition;
use throughline_text::hexadecimal;

use throughline_config::JsonFile;
use throughline_stored::Result;

/// The tools of one workspace that are known, in a file of the data folder.
#[derive(Debug, Clone)]
pub(super) struct KnownTools {
    file: JsonFile,
    workspace: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    /// By the workspace's path; for each tool the hash of its definition.
    workspaces: BTreeMap<String, BTreeMap<String, String>>,
}

impl KnownTools {
    pub(super) fn new(data: &Path, workspace: &Path) -> Self {
        let file = JsonFile::new(data.join("mcp").join("tools.json"));
        Self { file, workspace: workspace.to_string_lossy().into_owned() }
    }

    /// Records these tools. Returns those that have changed since they were recorded.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(super) fn record(&self, tools: Vec<ToolDefinition>) -> Result<Vec<ToolDefinition>> {
        let stored: Stored = self.file.read()?;
        let known = stored.workspaces.get(&self.workspace).cloned().unwrap_or_default();
        let with_hash = |tool: ToolDefinition| {
            let hash = hash(&tool);
            (tool, hash)
        };
        let hashed: Vec<(ToolDefinition, String)> = tools.into_iter().map(with_hash).collect();
        let new: Vec<(String, String)> = hashed
            .iter()
            .filter(|(tool, hash)| known.get(&tool.name) != Some(hash))
            .map(|(tool, hash)| (tool.name.clone(), hash.clone()))
            .collect();
        if !new.is_empty() {
            self.file.change(|stored: &mut Stored| {
                stored.workspaces.entry(self.workspace.clone()).or_default().extend(new);
            })?;
        }
        let changed = |(tool, hash): &(ToolDefinition, String)| {
            known.get(&tool.name).is_some_and(|known| known != hash)
        };
        Ok(hashed.into_iter().filter(changed).map(|(tool, _)| tool).collect())
    }
}

/// A collision-resistant hash of a definition.
fn hash(tool: &ToolDefinition) -> String {
    let parts = [tool.name.clone(), tool.description.clone(), tool.input_schema.to_string()];
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hexadecimal(&hash.finalize())
}

#[cfg(test)]
mod tests;
