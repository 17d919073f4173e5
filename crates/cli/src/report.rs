//! `throughline report`: the inspector's views of a session as one HTML file.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use throughline_commands::export;
use throughline_server::report_page;
use throughline_stored::{SessionHandle, Storage};
use throughline_terminal::line;
use throughline_text::plain;

use crate::args::ReportArgs;
use crate::data_args::DataArgs;
use crate::one_session::report_lost;

/// Writes the report, and names the records that are lost.
pub(crate) async fn run(args: &ReportArgs, place: &DataArgs) -> anyhow::Result<ExitCode> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let session = place.find(&data, &args.session).await?;
    let all = data.sessions().await?;
    let summary = all.iter().find(|one| one.info.id == session).context("the session was just deleted")?;
    let html = report_page(&SessionHandle::new(data.clone(), session.clone()), summary).await?;
    let mut out = export::open(&data, &args.output)?;
    let written = out.write_all(html.as_bytes()).and_then(|()| out.flush());
    written.with_context(|| format!("could not write the report to {}", args.output.display()))?;
    line(&plain(&format!("Wrote {}.", args.output.display())));
    Ok(report_lost(&data, session.as_str()))
}
