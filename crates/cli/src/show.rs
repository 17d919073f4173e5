//! `throughline show`: a sent request, in the form of Anthropic's API.

use std::process::ExitCode;

use throughline_stored::{SessionHandle, Storage};
use throughline_terminal::json;

use crate::args::ShowArgs;
use crate::data_args::DataArgs;
use crate::one_session::report_lost;

/// Prints a request as the JSON body for Anthropic's API.
pub(crate) async fn run(args: &ShowArgs, place: &DataArgs) -> anyhow::Result<ExitCode> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let session = place.find(&data, &args.session).await?;
    let records = data.records(&session).await?;
    let sent = SessionHandle::new(data.clone(), session.clone()).sent_request(&records, args.request)?;
    json(&if args.receipt { sent.object() } else { sent.body })?;
    Ok(report_lost(&data, session.as_str()))
}
