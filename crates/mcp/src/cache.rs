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
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;

    use serde_json::json;

    use super::Cache;
    use crate::remote::RemoteTool;
    use crate::{ServerConfig, Transport};

    fn config(url: &str) -> ServerConfig {
        ServerConfig::new("s", Transport::Http { url: url.to_owned(), headers: Default::default() })
    }

    fn tools() -> Vec<Arc<RemoteTool>> {
        ["a", "b"]
            .map(|name| RemoteTool::read("s", &json!({"name": name, "description": "x"})).unwrap())
            .map(Arc::new)
            .to_vec()
    }

    #[test]
    fn lists_are_kept_for_each_configuration_and_for_the_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("deep/mcp");
        let cache = Cache::new(inner.clone());
        assert_eq!(cache.read(&config("http://h")), None);
        cache.write(&config("http://h"), &tools()).unwrap();
        cache.write(&config("http://h"), &tools()).unwrap();
        assert_eq!(cache.read(&config("http://h")), Some(tools()));
        assert_eq!(cache.read(&config("http://other")), None);
        let mut without = config("http://h");
        without.disabled_tools.insert("a".to_owned());
        assert_eq!(cache.read(&without).unwrap().len(), 1);
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let files: Vec<_> = fs::read_dir(&inner).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 1, "no draft is left");
        assert_eq!((mode(&files[0]), mode(&inner)), (0o600, 0o700));
    }

    #[test]
    fn a_file_that_cannot_be_used_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        cache.write(&config("http://h"), &tools()).unwrap();
        let path = cache.path(&config("http://h"));
        let good = fs::read_to_string(&path).unwrap();
        let bad =
            ["", "{", "[]", "\u{0}", &good.replace("mcp__s__a", "shell"), &good.replace("\"s\"", "\"t\"")];
        for text in bad {
            fs::write(&path, text).unwrap();
            assert_eq!(cache.read(&config("http://h")), None, "{text}");
        }
    }
}
