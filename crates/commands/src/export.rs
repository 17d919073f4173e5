//! A session in a file: its log with a record per line, as text, in the format of another program, or as a bundle.

mod destination;
mod form;
mod text;

use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, ensure};
use throughline_connect::model_table;
use throughline_conversation::SessionId;
use throughline_stored::{
    ClaudeSession, Storage, export_atif, export_claude, export_lines, export_pydantic_ai,
};
use throughline_text::shell_word;

use destination::{create, is_same};

pub use destination::stdout;
pub use form::{ExportForm, ExportFormArgs};

/// Writes a session to a new file.
///
/// # Errors
/// There is such a file already, it cannot be written, or the session cannot be read.
pub async fn to_new_file(
    data: &Storage,
    session: &SessionId,
    form: ExportForm,
    path: &Path,
) -> anyhow::Result<()> {
    let shown = path.display();
    ensure!(!path.is_file(), "{shown} exists already and is not replaced; name another file or remove it");
    let mut out = open(data, path)?;
    let written = write(data, session, form, &mut out).await;
    written.with_context(|| could_not(&path.display().to_string()))
}

/// Opens a file for an export. The database is refused.
///
/// # Errors
/// It is the database, or cannot be written.
pub fn open(data: &Storage, path: &Path) -> anyhow::Result<Box<dyn Write + Send>> {
    ensure!(!is_same(path, data.store.path()), "{} is the database; name another file", path.display());
    create(path)
}

/// Writes a session in a form.
///
/// # Errors
/// The session cannot be read, or the output cannot be written.
pub async fn write(
    data: &Storage,
    session: &SessionId,
    form: ExportForm,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<()> {
    match form {
        ExportForm::Records => export_lines(data, session, out).await?,
        ExportForm::Text => text::write(data, session, out).await?,
        ExportForm::Atif => export_atif(data, session, &model_table()?, out).await?,
        ExportForm::Claude => export_claude(data, session, out).await?,
        ExportForm::PydanticAi => export_pydantic_ai(data, session, out).await?,
        ExportForm::Bundle => {
            data.write_bundle(session, out).await?;
        }
    }
    Ok(out.flush()?)
}

/// How another program continues with the file of an export, where it has to lie in a place of its own.
///
/// # Errors
/// There is no such session, or the storage failed.
pub async fn to_continue(
    data: &Storage,
    session: &SessionId,
    form: ExportForm,
) -> anyhow::Result<Option<String>> {
    if form != ExportForm::Claude {
        return Ok(None);
    }
    let written = ClaudeSession::of(data, session).await?;
    let (path, id, folder) = (written.path(), &written.id, shell_word(&written.folder));
    Ok(Some(format!(
        "To continue: put the file at ~/.claude/{path}, and in {folder} run: claude --resume {id}"
    )))
}

/// The context of an error of an export to this place.
#[must_use]
pub fn could_not(place: &str) -> String {
    format!("could not write the export to {place}")
}
