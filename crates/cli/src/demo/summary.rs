//! The table at the end of the demo, read from the session's own log.

use throughline_conversation::{RecordBody, SessionId, Usage};
use throughline_resultstore::ResultRepository;
use throughline_text::group_thousands;

use crate::compose::Data;
use crate::export::records;
use crate::terminal::{Style, line, table};

/// Totals of a session.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) requests: u64,
    pub(crate) usage: Usage,
    pub(crate) compactions: u64,
    pub(crate) offloads: u64,
    pub(crate) offloaded_bytes: u64,
    pub(crate) reads: u64,
}

/// Adds up a session's log.
pub(crate) async fn totals(data: &Data, session: &SessionId) -> anyhow::Result<Totals> {
    let mut totals = Totals::default();
    for record in records(data, session).await? {
        match record.body {
            RecordBody::Receipt(receipt) => {
                totals.requests += 1;
                let usage = receipt.reported.unwrap_or(receipt.predicted);
                totals.usage = totals.usage.plus(usage);
                totals.offloads += receipt.offloaded.len() as u64;
                totals.offloaded_bytes += receipt.offloaded.iter().map(|stored| stored.bytes).sum::<u64>();
            }
            RecordBody::Spent(used) => {
                totals.requests += used.requests + used.unreported;
                totals.usage = totals.usage.plus(used.usage);
            }
            RecordBody::Edit(_) => totals.compactions += 1,
            RecordBody::Message(said) => {
                totals.reads +=
                    said.message.tool_calls().filter(|call| call.name == "read_result").count() as u64;
            }
            _ => {}
        }
    }
    Ok(totals)
}

/// Prints the table, and where the session lies.
pub(super) async fn print(data: &Data, session: &SessionId, style: Style) -> anyhow::Result<()> {
    let sum = totals(data, session).await?;
    let stored = data.store.results().list(session).await?.len();
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let rows = [
        row("requests", group_thousands(sum.requests)),
        row("tokens sent", group_thousands(sum.usage.prompt())),
        row("  read from the cache", group_thousands(sum.usage.cache_read)),
        row("  written to the cache", group_thousands(sum.usage.cache_write)),
        row("  neither", group_thousands(sum.usage.input)),
        row("compactions", group_thousands(sum.compactions)),
        row(
            "results offloaded",
            format!("{} ({} bytes)", sum.offloads, group_thousands(sum.offloaded_bytes)),
        ),
        row("results kept in the store", stored.to_string()),
        row("reads of stored results", group_thousands(sum.reads)),
    ];
    line("");
    for text in table(&rows) {
        line(&text);
    }
    let database = data.folder.database();
    line("");
    line(&format!("{}  {session} in {}", style.bold("session"), database.display()));
    let option = &data.option;
    line(&format!("Look at it:  throughline context {session}{option}"));
    line(&format!("             throughline show {session}{option}"));
    Ok(())
}
