//! The plugin and the configuration that give OpenCode our hooks and tools for one run.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Command;

use anyhow::Context as _;
use throughline_tools::TempFolder;
use throughline_watch::{ForeignAgent, OPENCODE_CONFIG, OWN_SERVER, opencode_config, opencode_plugin};

use super::start::OwnProgram;

/// Most bytes of what the plugin counts as one character.
const MAX_CHARACTER: usize = 3;

/// Writes the plugin into a folder that only the user can read, and names it to the program. The folder is removed with the
/// value that is returned, or by a later run if this one is killed.
pub(super) fn plugin_folder(watched: &mut Command, own: &OwnProgram) -> anyhow::Result<TempFolder> {
    let folder = TempFolder::new().context("cannot make a folder for the plugin")?;
    let file = folder.path().join("throughline.js");
    let mut open = OpenOptions::new();
    let written = open.write(true).create_new(true).mode(0o600).open(&file);
    written
        .and_then(|mut written| {
            let offered = own.offload.map(|policy| policy.threshold_bytes / MAX_CHARACTER);
            let plugin = opencode_plugin(&own.hook(ForeignAgent::OpenCode), offered);
            written.write_all(plugin.as_bytes())
        })
        .with_context(|| format!("cannot write {}", file.display()))?;
    let mut command = vec![own.path()];
    command.extend(own.server_args());
    let existing = std::env::var(OPENCODE_CONFIG).ok();
    let url = format!("file://{}", file.display());
    let config = opencode_config(existing.as_deref(), &url, (OWN_SERVER, &command))?;
    watched.env(OPENCODE_CONFIG, config);
    Ok(folder)
}
