//! A text in the user's editor.

use std::io::Write;
use std::process::Command;

use anyhow::{Context as _, bail, ensure};

/// Opens a text in `$VISUAL` or `$EDITOR` and gives back what it became. The file is for its owner alone and is gone
/// afterwards.
pub(crate) fn edit(text: &str) -> anyhow::Result<String> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let Some(editor) = named.into_iter().find(|editor| !editor.trim().is_empty()) else {
        bail!("no editor is set; set $EDITOR, for example: export EDITOR=nano");
    };
    // A temporary file is made with mode 0600.
    let made = tempfile::Builder::new().prefix("throughline-").suffix(".md").tempfile();
    let mut file = made.context("could not make a file for the editor")?;
    file.write_all(text.as_bytes()).context("could not write the file for the editor")?;
    // An editor may come with arguments of its own (`code --wait`), so the shell takes it apart.
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file.path());
    let status = command.status().context("could not start the editor")?;
    ensure!(status.success(), "the editor {editor:?} ended with an error ({status}); nothing is changed");
    // Read by its name: an editor may have put another file in its place.
    std::fs::read_to_string(file.path()).context("could not read what the editor has written")
}
