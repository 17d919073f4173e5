//! `throughline report`: the inspector's views of a session as one HTML file.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use throughline_commands::{UsageError, export};
use throughline_server::{report_page, report_transcript};
use throughline_stored::{SessionHandle, Storage};
use throughline_terminal::line;
use throughline_text::plain;

use crate::args::ReportArgs;
use crate::data_args::DataArgs;
use crate::one_session::report_lost;

/// Writes the report, and names the records that are lost.
pub(crate) async fn run(args: &ReportArgs, place: &DataArgs) -> anyhow::Result<ExitCode> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let file = Path::new(&args.session);
    // No id of a session has a dot or a slash.
    if args.session.contains(['.', '/']) && file.is_file() {
        same_file(file, &args.output)?;
        write(&data, args, &report_transcript(file)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let session = place.find(&data, &args.session).await?;
    let all = data.sessions().await?;
    let summary = all.iter().find(|one| one.info.id == session).context("the session was just deleted")?;
    write(&data, args, &report_page(&SessionHandle::new(data.clone(), session.clone()), summary).await?)?;
    Ok(report_lost(&data, session.as_str()))
}

fn write(data: &Storage, args: &ReportArgs, html: &str) -> anyhow::Result<()> {
    let mut out = export::open(data, &args.output)?;
    let written = out.write_all(html.as_bytes()).and_then(|()| out.flush());
    written.with_context(|| format!("could not write the report to {}", args.output.display()))?;
    line(&plain(&format!("Wrote {}.", args.output.display())));
    Ok(())
}

/// Refuses to write over the transcript.
fn same_file(transcript: &Path, output: &Path) -> anyhow::Result<()> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real(transcript) == real(output) {
        bail!(UsageError(format!("{} is the transcript; name another file to write", output.display())));
    }
    Ok(())
}
