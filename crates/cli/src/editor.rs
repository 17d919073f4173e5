//! Opens a text in the user's editor.

use std::io::Write;
use std::process::Command;

use anyhow::{Context as _, bail, ensure};

/// Opens a text in `$VISUAL` or `$EDITOR` and returns the edited text. The file is readable by its owner only and removed
/// afterwards.
pub(crate) fn edit(text: &str) -> anyhow::Result<String> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let Some(editor) = named.into_iter().find(|editor| !editor.trim().is_empty()) else {
        bail!("no editor is set; set $EDITOR, for example: export EDITOR=nano");
    };
    // Temporary files are created with mode 0600.
    let made = tempfile::Builder::new().prefix("throughline-").suffix(".md").tempfile();
    let mut file = made.context("could not create a file for the editor")?;
    file.write_all(text.as_bytes()).context("could not write the file for the editor")?;
    // The variable may hold arguments (`code --wait`), so a shell splits it.
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file.path());
    let status = command.status().context("could not start the editor")?;
    ensure!(status.success(), "the editor {editor:?} failed ({status}); nothing was changed");
    // Read by path: editors may replace the file.
    std::fs::read_to_string(file.path()).context("could not read what the editor has written")
}
