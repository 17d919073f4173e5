//! Commands on one stored session: runs one, and prints its answer.

use std::process::ExitCode;

use throughline_commands::{CommandTarget, SessionCommand, execute, foreign_session};
use throughline_stored::{SessionWriter, Storage, data_dir_option};
use throughline_terminal::{complain, json, pager};

use crate::data_args::DataArgs;

/// Maximum number of places of lost records that an error names.
const LOST_NAMED: usize = 5;

/// Runs a command and prints its answer.
pub(crate) async fn run(
    session: &str,
    command: &SessionCommand,
    as_json: bool,
    data: &DataArgs,
) -> anyhow::Result<ExitCode> {
    let target = open(session, data).await?;
    let answer = execute(&target, &mut SessionWriter::Handle, command).await?;
    if as_json {
        json(&answer.json)?;
    } else {
        pager::show(&answer.text);
    }
    Ok(report_lost(&target.handle.storage, target.handle.session.as_str()))
}

/// Names the records and contexts that were found lost. The exit code is 1 if there are any.
pub(crate) fn report_lost(storage: &Storage, session: &str) -> ExitCode {
    let records = storage.lost_records();
    let lost: Vec<String> = records.iter().map(ToString::to_string).chain(storage.lost_contexts()).collect();
    if lost.is_empty() {
        return ExitCode::SUCCESS;
    }
    let named: Vec<&str> = lost.iter().take(LOST_NAMED).map(String::as_str).collect();
    let more = lost.len().saturating_sub(LOST_NAMED);
    let more = if more > 0 { format!("; and {more} more places") } else { String::new() };
    let option = data_dir_option(storage);
    complain(&format!(
        "{}{more}; everything else is shown; `throughline{option} recover {session}` saves what can be read",
        named.join("; ")
    ));
    ExitCode::FAILURE
}

/// Finds a session in a data folder. One of another agent is stored first.
async fn open(name: &str, data: &DataArgs) -> anyhow::Result<CommandTarget> {
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let session = match foreign_session(&storage, name).await? {
        Some(session) => session,
        None => data.find(&storage, name).await?,
    };
    Ok(CommandTarget::new(storage, session))
}
