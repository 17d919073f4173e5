//! What the settings of Gemini CLI say of our hook. Only its user can add one: it takes none for a single run.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use crate::agent::ForeignAgent;
use crate::file_agent::named_folder;

/// Maximum bytes of its settings.
const SETTINGS: u64 = 4 * 1024 * 1024;

/// Returns true if the settings of the user, or of this folder, run our hook.
pub(crate) fn has_own_hook() -> bool {
    let homes =
        [named_folder("GEMINI_CLI_HOME").or_else(|| named_folder("HOME")), std::env::current_dir().ok()];
    homes.into_iter().flatten().any(|home| names_hook(home.join(".gemini").join("settings.json")))
}

fn names_hook(settings: PathBuf) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(settings).and_then(|file| file.take(SETTINGS).read_to_end(&mut bytes));
    let hook = format!("watch --hook {}", ForeignAgent::Gemini);
    read.is_ok() && String::from_utf8_lossy(&bytes).contains(&hook)
}
