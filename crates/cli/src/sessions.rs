//! `throughline sessions`: the list of sessions, and what each has cost.

mod delete;

use anyhow::Context as _;
use throughline_commands::age;
use throughline_completion::{Cost, Dollars};
use throughline_connect::{cost_of, dollars_text, model_table};
use throughline_continuity::{SessionDirectory, SessionSummary};
use throughline_stored::{Storage, now, session_object};
use throughline_terminal::{json, line, table};
use throughline_text::{group_thousands, headline};

use crate::args::{SessionsArgs, SessionsCommand};
use crate::data_args::DataArgs;

/// Lists the sessions, newest first, or deletes some.
pub(crate) async fn run(args: &SessionsArgs, place: &DataArgs) -> anyhow::Result<()> {
    if let Some(SessionsCommand::Delete { sessions, yes }) = &args.what {
        return delete::delete(sessions, *yes, place).await;
    }
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let all = data.store.sessions().list().await?;
    let costs = costs(&data, &all).await?;
    if args.json {
        let objects: Vec<_> =
            all.iter().zip(&costs).map(|(session, cost)| session_object(session, cost)).collect();
        return Ok(json(&objects)?);
    }
    if all.is_empty() {
        line("No sessions yet. `throughline demo` creates one.");
        return Ok(());
    }
    let mut rows =
        vec![["SESSION", "AGE", "TURNS", "REQUESTS", "COST", "RECORDS", "TITLE"].map(str::to_owned).to_vec()];
    let time = now();
    for (session, cost) in all.iter().zip(&costs) {
        rows.push(vec![
            session.info.id.to_string(),
            age(time, session.last_activity),
            session.exchanges.to_string(),
            session.requests.to_string(),
            cost_cell(cost),
            group_thousands(session.records),
            headline(&session.info.title, 60),
        ]);
    }
    for text in table(&rows) {
        line(&text);
    }
    Ok(())
}

/// The cost of each session, in the order of the list.
async fn costs(data: &Storage, sessions: &[SessionSummary]) -> anyhow::Result<Vec<Cost>> {
    let table = model_table()?;
    let mut costs = Vec::with_capacity(sessions.len());
    for session in sessions {
        let id = &session.info.id;
        let used = data
            .usage_records(id)
            .await
            .with_context(|| format!("could not read what session {id} has cost"))?;
        costs.push(cost_of(used.iter().map(|record| &record.body), &table));
    }
    Ok(costs)
}

/// A cost in a column: `≥` before a lower bound, `?` if no price is known.
fn cost_cell(cost: &Cost) -> String {
    match cost.dollars() {
        _ if cost.all_requests() == 0 => "-".to_owned(),
        Dollars::Exact(dollars) => dollars_text(dollars),
        Dollars::AtLeast(dollars) => format!("≥{}", dollars_text(dollars)),
        Dollars::Unknown => "?".to_owned(),
    }
}
