//! The table at the end of the demo, read from the session's own log.

use throughline_conversation::{RecordBody, SessionId};
use throughline_resultstore::ResultRepository;
use throughline_stored::data_dir_option;
use throughline_stored::{SessionHandle, Storage};
use throughline_terminal::{Style, line, table};
use throughline_text::group_thousands;

use crate::run::DemoPlace;

/// Prints the table and the location of the session.
pub(super) async fn print(
    data: &Storage,
    session: &SessionId,
    style: Style,
    place: DemoPlace,
) -> anyhow::Result<()> {
    let sum = SessionHandle::new(data.clone(), session.clone()).totals().await?;
    let usage = sum.cost.usage;
    let mut reads = 0;
    data.each_record(session, |record| reads += reads_in(&record.body)).await?;
    let stored = data.store.results().list(session).await?.len();
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let rows = [
        row("requests", group_thousands(sum.cost.all_requests())),
        row("tokens sent", group_thousands(usage.prompt())),
        row("  read from the cache", group_thousands(usage.cache_read)),
        row("  written to the cache", group_thousands(usage.cache_write)),
        row("  neither", group_thousands(usage.input)),
        row("compactions", group_thousands(sum.compactions)),
        row(
            "results offloaded",
            format!("{} ({} bytes)", sum.offloads, group_thousands(sum.offloaded_bytes)),
        ),
        row("results in the store", stored.to_string()),
        row("reads of stored results", group_thousands(reads)),
    ];
    line("");
    for text in table(&rows) {
        line(&text);
    }
    line("");
    if place == DemoPlace::Removed {
        line(
            "The session and its project are removed again. To look at them afterwards: throughline demo --keep",
        );
        return Ok(());
    }
    let database = data.store.path();
    line(&format!("{}  {session} in {}", style.bold("session"), database.display()));
    let option = &data_dir_option(data);
    line(&format!("Inspect it:  throughline context {session}{option}"));
    line(&format!("             throughline show {session}{option}"));
    Ok(())
}

/// Calls of `read_result` in a record.
fn reads_in(body: &RecordBody) -> u64 {
    let RecordBody::Message(said) = body else { return 0 };
    said.message.tool_calls().filter(|call| call.name == "read_result").count() as u64
}
