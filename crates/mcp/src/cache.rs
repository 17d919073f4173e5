//! The tools that servers had when they were last asked: with them a session starts without starting a server.

use std::fs;
use std::io::{Read, Result, Write};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ServerConfig;
use crate::naming::tool_name;
use crate::remote::RemoteTool;

/// Lists of another version may have been judged by other rules.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " 1");

/// Larger files are not read.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A folder of lists, one file for each configuration of a server. Files are for their owner alone: what tools a person
/// has is nobody else's business.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Content {
    version: String,
    server: String,
    tools: Vec<Arc<RemoteTool>>,
}

impl Cache {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The tools of a server. `None` when nothing is known; a file that cannot be used is as good as none.
    pub(crate) fn read(&self, config: &ServerConfig) -> Option<Vec<Arc<RemoteTool>>> {
        let file = fs::File::open(self.path(config)).ok()?;
        let mut text = String::new();
        file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        let mut content: Content = serde_json::from_str(&text).ok()?;
        let named = |tool: &Arc<RemoteTool>| tool.definition.name == tool_name(&config.name, &tool.name);
        let usable =
            content.version == VERSION && content.server == config.name && content.tools.iter().all(named);
        content.tools.retain(|tool| !config.disabled_tools.contains(&tool.name));
        usable.then_some(content.tools)
    }

    /// Keeps the tools of a server. A reader sees the old file or the new one, never a half.
    pub(crate) fn write(&self, config: &ServerConfig, tools: &[Arc<RemoteTool>]) -> Result<()> {
        let content =
            Content { version: VERSION.to_owned(), server: config.name.clone(), tools: tools.to_vec() };
        let mut folder = fs::DirBuilder::new();
        folder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(&self.folder)?;
        // Only its owner may read a new file of this kind.
        let mut draft = tempfile::NamedTempFile::new_in(&self.folder)?;
        draft.write_all(&serde_json::to_vec(&content)?)?;
        draft.persist(self.path(config)).map_err(|error| error.error)?;
        Ok(())
    }

    fn path(&self, config: &ServerConfig) -> PathBuf {
        self.folder.join(format!("{}.json", config.fingerprint()))
    }
}

#[cfg(test)]
mod tests;
