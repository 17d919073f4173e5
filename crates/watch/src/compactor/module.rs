//! The plugin that Claude Code is started with: files in our data folder. Nothing of the user's is written.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use throughline_stored::Attempt as _;

use crate::failure::Result;

/// The module. It asks the command and rebuilds the conversation of what it answers.
const MODULE: &str = include_str!("register.js");

/// The placeholder of the command in the module.
const COMMAND: &str = "[\"{{command}}\"]";

/// Writes the plugin that runs this command, unless it is there already. Returns its folder, which has a name of its content: runs of
/// other versions have theirs.
pub(crate) fn module_folder(data: &Path, command: &[String]) -> Result<PathBuf> {
    let files = files(command);
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let folder = data.join("claude-plugin").join(format!("{:016x}", hasher.finish()));
    for (name, text) in files {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|found| found == text) {
            continue;
        }
        let parent = path.parent().unwrap_or(&folder);
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(parent);
        let written = made.and_then(|()| fs::write(&path, text));
        written.attempt(|| format!("cannot write {}", path.display()))?;
    }
    Ok(folder)
}

/// The files by their paths in the folder.
fn files(command: &[String]) -> [(&'static str, String); 3] {
    let about = json!({
        "name": "throughline",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Compacts from the whole conversation, without a request to a model."
    });
    // Versions that know no modules want the key `hooks`.
    let hooks = json!({ "hooks": {}, "modules": ["./register.js"] });
    [
        (".claude-plugin/plugin.json", about.to_string()),
        ("hooks/hooks.json", hooks.to_string()),
        ("hooks/register.js", MODULE.replace(COMMAND, &Value::from(command).to_string())),
    ]
}
