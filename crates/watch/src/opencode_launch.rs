//! The plugin and the configuration that give OpenCode our hooks and tools for one run.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Command;

use throughline_stored::Attempt as _;
use throughline_tools::TempFolder;

use crate::agent::ForeignAgent;
use crate::failure::Result;
use crate::hooks::OWN_SERVER;
use crate::launch::OwnProgram;
use crate::opencode_hooks::{OPENCODE_CONFIG, opencode_config, opencode_plugin};

/// Maximum bytes of what the plugin counts as one character.
const MAX_CHARACTER: usize = 3;

/// Writes the plugin into a folder that only the user can read, and names it to the program. The folder is removed with the
/// value that is returned, or by a later run if this one is killed.
pub(crate) fn plugin_folder(watched: &mut Command, own: &OwnProgram) -> Result<TempFolder> {
    let folder = TempFolder::new().attempt(|| "cannot make a folder for the plugin".to_owned())?;
    let file = folder.path().join("throughline.js");
    let mut open = OpenOptions::new();
    let written = open.write(true).create_new(true).mode(0o600).open(&file);
    written
        .and_then(|mut written| {
            let offered = own.offload.map(|policy| policy.threshold_bytes / MAX_CHARACTER);
            let plugin = opencode_plugin(&own.hook(ForeignAgent::OpenCode), offered);
            written.write_all(plugin.as_bytes())
        })
        .attempt(|| format!("cannot write {}", file.display()))?;
    let mut command = vec![own.path()];
    command.extend(own.server_args());
    let existing = std::env::var(OPENCODE_CONFIG).ok();
    let url = format!("file://{}", file.display());
    let config = opencode_config(existing.as_deref(), &url, (OWN_SERVER, &command));
    let config = config.attempt(|| format!("{OPENCODE_CONFIG} cannot be completed"))?;
    watched.env(OPENCODE_CONFIG, config);
    Ok(folder)
}
