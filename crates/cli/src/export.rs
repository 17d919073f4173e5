//! `throughline export`: a session's log, one record per line, or as text.

mod destination;
mod text;

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use throughline::{Storage, export_lines};
use throughline_conversation::SessionId;

use crate::args::ExportArgs;
use crate::data_args::DataArgs;
use crate::execute::report_lost;

use destination::{create, is_same};

/// Writes all records that can be read, and names the others. A closed pipe ends it quietly; a slow reader gets every byte.
pub(crate) async fn run(args: &ExportArgs, place: &DataArgs) -> anyhow::Result<ExitCode> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let session = place.find(&data, &args.session).await?;
    let mut out = match &args.output {
        Some(path) => open(&data, path)?,
        None => destination::stdout(),
    };
    match write(&data, &session, args.text, &mut out).await {
        Err(error) if is_closed_pipe(&error) => return Ok(ExitCode::SUCCESS),
        written => written.with_context(|| {
            let place = args.output.as_ref().map(|path| path.display().to_string());
            could_not(place.as_deref().unwrap_or("standard output"))
        })?,
    }
    Ok(report_lost(&data, session.as_str()))
}

/// Writes all records of a session to a file, or its conversation as text.
///
/// # Errors
/// The file cannot be written, or the session cannot be read.
pub(crate) async fn to_file(
    data: &Storage,
    session: &SessionId,
    as_text: bool,
    path: &Path,
) -> anyhow::Result<()> {
    let mut out = open(data, path)?;
    let written = write(data, session, as_text, &mut out).await;
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
    as_text: bool,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<()> {
    match as_text {
        true => text::write(data, session, out).await?,
        false => export_lines(data, session, out).await?,
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
