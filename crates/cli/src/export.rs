//! `throughline export`: a session's log, one record per line, as text, or as a document of an interchange format.

pub(crate) mod args;
mod destination;
mod text;

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use throughline::{Storage, export_atif, export_lines, model_table};
use throughline_conversation::SessionId;

use crate::data_args::DataArgs;
use crate::execute::report_lost;

use args::{ExportArgs, ExportForm};
use destination::{create, is_same};

/// Writes all records that can be read, and names the others. A closed pipe ends it quietly; a slow reader gets every byte.
pub(crate) async fn run(args: &ExportArgs, place: &DataArgs) -> anyhow::Result<ExitCode> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let session = place.find(&data, &args.session).await?;
    let mut out = match &args.output {
        Some(path) => open(&data, path)?,
        None => destination::stdout(),
    };
    match write(&data, &session, args.form.form(), &mut out).await {
        Err(error) if is_closed_pipe(&error) => return Ok(ExitCode::SUCCESS),
        written => written.with_context(|| {
            let place = args.output.as_ref().map(|path| path.display().to_string());
            could_not(place.as_deref().unwrap_or("standard output"))
        })?,
    }
    Ok(report_lost(&data, session.as_str()))
}

/// Writes a session to a file.
///
/// # Errors
/// The file cannot be written, or the session cannot be read.
pub(crate) async fn to_file(
    data: &Storage,
    session: &SessionId,
    form: ExportForm,
    path: &Path,
) -> anyhow::Result<()> {
    let mut out = open(data, path)?;
    let written = write(data, session, form, &mut out).await;
    written.with_context(|| could_not(&path.display().to_string()))
}

/// Opens a file for an export. The database is refused.
///
/// # Errors
/// It is the database, or cannot be written.
pub(crate) fn open(data: &Storage, path: &Path) -> anyhow::Result<Box<dyn Write + Send>> {
    ensure!(!is_same(path, data.store.path()), "{} is the database; name another file", path.display());
    create(path)
}

async fn write(
    data: &Storage,
    session: &SessionId,
    form: ExportForm,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<()> {
    match form {
        ExportForm::Records => export_lines(data, session, out).await?,
        ExportForm::Text => text::write(data, session, out).await?,
        ExportForm::Atif => export_atif(data, session, &model_table()?, out).await?,
    }
    Ok(out.flush()?)
}

fn could_not(place: &str) -> String {
    format!("could not write the export to {place}")
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &std::io::Error| error.kind() == ErrorKind::BrokenPipe;
    // The library's error is transparent: the chain has the cause of the one that it is made of.
    let of_library = error.downcast_ref::<throughline::Error>().and_then(|error| match error {
        throughline::Error::Other(error) => error.downcast_ref::<std::io::Error>(),
        _ => None,
    });
    error.downcast_ref::<std::io::Error>().or(of_library).is_some_and(broken)
}
