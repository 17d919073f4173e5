//! Caches the tool lists of servers, so that a session starts without starting a server.

use std::fs;
use std::io::{Read, Result, Write};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::config::ServerConfig;
use crate::naming::tool_name;
use crate::remote_tool::RemoteTool;

/// Lists of another version may have been validated by other rules.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " 2");

/// Largest file that is read.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// A folder of tool lists, one file per configured server. The files are readable by their owner alone.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct CacheFile {
    version: String,
    server: String,
    tools: Vec<Arc<RemoteTool>>,
}

impl Cache {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The cached tools of a server. `None` if there is no usable file.
    pub(crate) fn read(&self, config: &ServerConfig) -> Option<Vec<Arc<RemoteTool>>> {
        let file = fs::File::open(self.path(config)).ok()?;
        let mut text = String::new();
        file.take(MAX_BYTES).read_to_string(&mut text).ok()?;
        let mut content: CacheFile = serde_json::from_str(&text).ok()?;
        let named = |tool: &Arc<RemoteTool>| tool.definition.name == tool_name(&config.name, &tool.name);
        let usable =
            content.version == VERSION && content.server == config.name && content.tools.iter().all(named);
        content.tools.retain(|tool| !config.disabled_tools.contains(&tool.name));
        usable.then_some(content.tools)
    }

    /// Stores the tools of a server, atomically.
    pub(crate) fn write(&self, config: &ServerConfig, tools: &[Arc<RemoteTool>]) -> Result<()> {
        let content =
            CacheFile { version: VERSION.to_owned(), server: config.name.clone(), tools: tools.to_vec() };
        self.create_folder()?;
        // `NamedTempFile` creates files that only their owner can read.
        let mut draft = tempfile::NamedTempFile::new_in(&self.folder)?;
        draft.write_all(&serde_json::to_vec(&content)?)?;
        draft.persist(self.path(config)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Notes whether the last start of a server took longer than it may. A session waits less for such a one.
    pub(crate) fn note_late(&self, config: &ServerConfig, is_late: bool) {
        let path = self.late_path(config);
        let noted = match (is_late, path.exists()) {
            (true, false) => self.create_folder().and_then(|()| fs::write(&path, "")),
            (false, true) => fs::remove_file(&path),
            _ => Ok(()),
        };
        if let Err(error) = noted {
            tracing::warn!(server = config.name, %error, "how long its start took could not be noted");
        }
    }

    /// Returns true if the last start of a server took longer than it may.
    pub(crate) fn was_late(&self, config: &ServerConfig) -> bool {
        self.late_path(config).exists()
    }

    fn create_folder(&self) -> Result<()> {
        let mut folder = fs::DirBuilder::new();
        folder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(&self.folder)
    }

    fn path(&self, config: &ServerConfig) -> PathBuf {
        self.folder.join(format!("{}.json", config.fingerprint()))
    }

    fn late_path(&self, config: &ServerConfig) -> PathBuf {
        self.folder.join(format!("{}.late", config.fingerprint()))
    }
}

#[cfg(test)]
mod tests;
