//! Opens a text in the user's editor.

use std::io::{self, Write as _};
use std::process::ExitStatus;

use thiserror::Error;

use crate::shell::shell;

/// Why a text was not edited.
#[derive(Debug, Error)]
pub enum EditorError {
    /// Neither `$VISUAL` nor `$EDITOR` is set.
    #[error("no editor is set; set $EDITOR, for example: export EDITOR=nano")]
    NoEditor,
    /// The file with the text cannot be made.
    #[error("could not write the file for the editor")]
    Write(#[source] io::Error),
    /// The editor cannot be started.
    #[error("could not start the editor")]
    Start(#[source] io::Error),
    /// The editor has failed.
    #[error("the editor {editor:?} failed ({status}); nothing was changed")]
    Failed {
        /// The command of the editor.
        editor: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// The edited file is gone, or is no text.
    #[error("could not read what the editor has written")]
    Read(#[source] io::Error),
}

/// Opens a text in `$VISUAL` or `$EDITOR` and returns the edited text, whose lines end with a newline alone. The file is readable by its owner only and removed
/// afterwards.
///
/// # Errors
/// No editor is set, the editor fails, or its file cannot be written or read.
pub fn edit(text: &str) -> Result<String, EditorError> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let editor = named.into_iter().find(|editor| !editor.trim().is_empty()).ok_or(EditorError::NoEditor)?;
    // Temporary files are created with mode 0600.
    let made = tempfile::Builder::new().prefix("throughline-").suffix(".md").tempfile();
    let mut file = made.map_err(EditorError::Write)?;
    file.write_all(text.as_bytes()).map_err(EditorError::Write)?;
    // The variable may hold arguments (`code --wait`), so a shell splits it.
    let missing = || EditorError::Start(io::ErrorKind::NotFound.into());
    let mut command = shell().ok_or_else(missing)?;
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file.path());
    let status = command.status().map_err(EditorError::Start)?;
    if !status.success() {
        return Err(EditorError::Failed { editor, status });
    }
    // Read by path: editors may replace the file.
    let edited = std::fs::read_to_string(file.path()).map_err(EditorError::Read)?;
    Ok(edited.replace("\r\n", "\n").replace('\r', "\n"))
}
