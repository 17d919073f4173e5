//! Tests of the cache file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use serde_json::json;

use super::Cache;
use crate::remote_tool::RemoteTool;
use crate::{ServerConfig, Transport};

fn config(url: &str) -> ServerConfig {
    ServerConfig::new("s", Transport::Http { url: url.to_owned(), headers: Default::default() })
}

fn tools() -> Vec<Arc<RemoteTool>> {
    ["a", "b"]
        .map(|name| RemoteTool::parse("s", &json!({"name": name, "description": "x"})).unwrap())
        .map(Arc::new)
        .to_vec()
}

#[test]
fn each_configuration_has_a_file_that_only_its_owner_can_read() {
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
fn an_unusable_file_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().to_owned());
    cache.write(&config("http://h"), &tools()).unwrap();
    let path = cache.path(&config("http://h"));
    let good = fs::read_to_string(&path).unwrap();
    let bad = ["", "{", "[]", "\u{0}", &good.replace("mcp__s__a", "shell"), &good.replace("\"s\"", "\"t\"")];
    for text in bad {
        fs::write(&path, text).unwrap();
        assert_eq!(cache.read(&config("http://h")), None, "{text}");
    }
}
