//! `throughline export`: a session's log, one record per line, as text, in the format of another program, or as a bundle.

pub(crate) mod args;

use std::io::{ErrorKind, IsTerminal as _};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use throughline_commands::UsageError;
use throughline_commands::export::{ExportForm, could_not, open, stdout, to_continue, write};
use throughline_stored::Storage;
use throughline_terminal::note;

use crate::data_args::DataArgs;
use crate::one_session::report_lost;
use args::ExportArgs;

/// Writes all records that can be read, and names the others. A closed pipe ends it quietly; a slow reader gets every byte.
pub(crate) async fn run(args: &ExportArgs, place: &DataArgs) -> anyhow::Result<ExitCode> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let session = place.find(&data, &args.session).await?;
    let form = args.form.form();
    let mut out = match &args.output {
        Some(path) => open(&data, path)?,
        None if form == ExportForm::Bundle && std::io::stdout().is_terminal() => {
            bail!(UsageError("a bundle is no text for a terminal: name a file with -o FILE".to_owned()));
        }
        None => stdout(),
    };
    match write(&data, &session, form, &mut out).await {
        Err(error) if is_closed_pipe(&error) => return Ok(ExitCode::SUCCESS),
        written => written.with_context(|| {
            let place = args.output.as_ref().map(|path| path.display().to_string());
            could_not(place.as_deref().unwrap_or("standard output"))
        })?,
    }
    if args.output.is_some()
        && let Some(text) = to_continue(&data, &session, form).await?
    {
        note(&text);
    }
    Ok(report_lost(&data, session.as_str()))
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &std::io::Error| error.kind() == ErrorKind::BrokenPipe;
    // The library's error is transparent: the chain has the cause of the one that it is made of.
    let of_library = error.downcast_ref::<throughline_stored::Error>().and_then(|error| match error {
        throughline_stored::Error::Other(error) => error.downcast_ref::<std::io::Error>(),
        _ => None,
    });
    error.downcast_ref::<std::io::Error>().or(of_library).is_some_and(broken)
}
