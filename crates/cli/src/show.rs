//! `throughline show`: a sent request, byte for byte.

use std::process::ExitCode;

use anyhow::Context as _;
use throughline::Storage;
use throughline_agent::reconstruct;
use throughline_conversation::{Record, RecordBody};
use throughline_policies::Estimator;
use throughline_providers::anthropic;

use crate::args::ShowArgs;
use crate::data_args::DataArgs;
use crate::execute::report_lost;
use crate::terminal::json;

/// Prints a request as the JSON body for Anthropic's API.
pub(crate) async fn run(args: &ShowArgs, place: &DataArgs) -> anyhow::Result<ExitCode> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let session = place.find(&data, &args.session).await?;
    let records = data.records(&session).await?;
    let receipts = || records.iter().filter_map(receipt);
    let last =
        receipts().next_back().with_context(|| format!("session {session} has sent no request yet"))?;
    let wanted = args.request.unwrap_or(last.request);
    let request = reconstruct(&session, &records, wanted, Estimator::Script.counter().as_ref())?;
    let body = anthropic::encode(&request);
    let shown = if args.receipt {
        serde_json::json!({ "receipt": receipts().find(|receipt| receipt.request == wanted), "request": body })
    } else {
        body
    };
    json(&shown)?;
    Ok(report_lost(&data, session.as_str()))
}

fn receipt(record: &Record) -> Option<&throughline_conversation::Receipt> {
    match &record.body {
        RecordBody::Receipt(receipt) => Some(receipt),
        _ => None,
    }
}
