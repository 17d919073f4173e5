//! `throughline sessions`: the list of sessions, and what each has cost.

mod delete;

use throughline_commands::{age, cost_cell, folder_cell, session_costs};
use throughline_stored::{Storage, now, session_object};
use throughline_terminal::{json, line, table};
use throughline_text::{group_thousands, headline};

use crate::args::{SessionsArgs, SessionsCommand};
use crate::data_args::DataArgs;

/// Lists the sessions, newest first, or deletes some.
pub(crate) async fn run(args: &SessionsArgs, place: &DataArgs) -> anyhow::Result<()> {
    if let Some(SessionsCommand::Delete { sessions, yes, any_folder }) = &args.what {
        let place = DataArgs { any_folder: place.any_folder || *any_folder, ..place.clone() };
        return delete::delete(sessions, *yes, &place).await;
    }
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let all = data.sessions().await?;
    let costs = session_costs(&data, &all).await?;
    if args.json {
        let objects: Vec<_> =
            all.iter().zip(&costs).map(|(session, cost)| session_object(session, cost)).collect();
        return Ok(json(&objects)?);
    }
    if all.is_empty() {
        line("No sessions yet. `throughline` starts one; `throughline demo` shows one without a key.");
        return Ok(());
    }
    let mut rows = vec![
        ["SESSION", "AGE", "TURNS", "REQUESTS", "COST", "RECORDS", "FOLDER", "TITLE"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let time = now();
    for (session, cost) in all.iter().zip(&costs) {
        rows.push(vec![
            session.info.id.to_string(),
            age(time, session.last_activity),
            session.exchanges.to_string(),
            session.requests.to_string(),
            cost_cell(cost),
            group_thousands(session.records),
            folder_cell(&session.info.workspace),
            headline(&session.info.title, 60),
        ]);
    }
    for text in table(&rows) {
        line(&text);
    }
    Ok(())
}
