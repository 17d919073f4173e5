//! `throughline export`: a session's log, one record per line, or as text.

mod destination;
mod lines;
mod text;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use throughline::Storage;

use crate::args::ExportArgs;
use crate::data_args::DataArgs;
use crate::execute::report_lost;

use destination::{create, is_same};

/// Writes all records that can be read, and names the others. A closed pipe ends it quietly; a slow reader gets every byte.
pub(crate) async fn run(args: &ExportArgs, place: &DataArgs) -> anyhow::Result<ExitCode> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let session = place.find(&data, &args.session).await?;
    let mut out = match &args.output {
        Some(path) => {
            ensure!(
                !is_same(path, &data.folder.database()),
                "{} is the database; name another file",
                path.display()
            );
            create(path)?
        }
        None => destination::stdout(),
    };
    let written = match args.text {
        true => text::write(&data, &session, &mut out).await,
        false => lines::write(&data, &session, &mut out).await,
    };
    let written = written.and_then(|()| Ok(out.flush()?));
    match written {
        Err(error) if is_closed_pipe(&error) => return Ok(ExitCode::SUCCESS),
        written => written.with_context(|| {
            let place = args.output.as_ref().map(|path| path.display().to_string());
            format!("could not write the export to {}", place.as_deref().unwrap_or("standard output"))
        })?,
    }
    Ok(report_lost(&data, session.as_str()))
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
