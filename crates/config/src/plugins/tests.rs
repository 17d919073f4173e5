//! Installed plugins and what they have.

use std::fs;

use super::*;
use crate::plugin_contents::PluginContents;

/// A home with a plugin whose copy has these files.
fn home(files: &[(&str, &str)]) -> (tempfile::TempDir, PluginFile) {
    let folder = tempfile::tempdir().unwrap();
    let file = PluginFile::in_folder(&folder.path().join("plugins"));
    let record = PluginRecord {
        marketplace: "shop".to_owned(),
        source: "./one".to_owned(),
        version: None,
        commit: None,
        enabled: true,
        runs: String::new(),
        files: "0f".to_owned(),
    };
    let copy = file.home().copy_of("one", &record);
    for (name, text) in files {
        let path = copy.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    file.change(|registry| drop(registry.plugins.insert("one".to_owned(), record))).unwrap();
    (folder, file)
}

const MANIFEST: (&str, &str) = (
    ".claude-plugin/plugin.json",
    r#"{ "name": "one", "mcpServers": { "s": { "url": "https://a.example" } } }"#,
);

#[test]
fn an_enabled_plugin_is_used_and_a_disabled_one_is_only_listed() {
    let hooks = r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/a" }] }], "New": [] } }"#;
    let (_folder, file) =
        home(&[MANIFEST, ("hooks/hooks.json", hooks), ("agents/broken.md", "x"), ("commands/go.md", "Go.")]);
    let installed = InstalledPlugins::read(&file);
    let plugin = installed.used().next().unwrap();
    let contents = PluginContents::of(plugin);
    assert_eq!(
        (contents.commands.as_slice(), contents.servers.as_slice()),
        (&["one:go".to_owned()][..], &["plugin_one_s".to_owned()][..])
    );
    assert_eq!(contents.hooks[0].text(), format!("{}/a", plugin.root.display()));
    assert_eq!(contents.notices.len(), 2, "{:?}", contents.notices);
    let runs = what_runs(plugin).join("\n");
    assert!(
        runs.contains("it runs `${CLAUDE_PLUGIN_ROOT}/a`")
            && runs.contains("it connects to https://a.example"),
        "{runs}"
    );
    file.change(|registry| registry.plugins.values_mut().for_each(|record| record.enabled = false)).unwrap();
    let installed = InstalledPlugins::read(&file);
    assert_eq!((installed.used().count(), installed.all[0].state()), (0, "disabled"));
    assert!(installed.notices().is_empty());
}

#[test]
fn what_cannot_be_read_is_a_notice() {
    let (_folder, file) = home(&[(MANIFEST.0, "{")]);
    let installed = InstalledPlugins::read(&file);
    assert_eq!(installed.all[0].state(), "broken");
    assert!(installed.notices()[0].contains("`throughline plugin update one` copies it again"));
    fs::write(file.home().registry_file(), "{").unwrap();
    let installed = InstalledPlugins::read(&file);
    assert!(installed.all.is_empty() && installed.notices()[0].starts_with("plugins are not used: "));
}
