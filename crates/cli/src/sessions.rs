//! `throughline sessions`: the list of sessions, and what each has cost.

pub(crate) mod args;
mod delete;
mod prune;

use throughline_commands::{age, cost_cell, folder_cell};
use throughline_connect::model_table;
use throughline_stored::{SessionMemos, Storage, now, session_object};
use throughline_terminal::{json, line, table};
use throughline_text::{group_thousands, headline};

use crate::data_args::DataArgs;
use args::{SessionsArgs, SessionsCommand};

/// Lists the sessions, newest first, or deletes some or all old ones.
pub(crate) async fn run(args: &SessionsArgs, place: &DataArgs) -> anyhow::Result<()> {
    match &args.what {
        Some(SessionsCommand::Delete { sessions, memos, yes, any_folder }) => {
            let place = DataArgs { any_folder: place.any_folder || *any_folder, ..place.clone() };
            let memos = if *memos { SessionMemos::Delete } else { SessionMemos::Stay };
            delete::delete(sessions, memos, *yes, &place).await
        }
        Some(SessionsCommand::Prune(args)) => prune::prune(args, place).await,
        None => list(args, place).await,
    }
}

async fn list(args: &SessionsArgs, place: &DataArgs) -> anyhow::Result<()> {
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let all = data.sessions().await?;
    let costs = data.session_costs(&all, &model_table()?).await?;
    let owners = data.owners().await?;
    if args.json {
        let pairs = all.iter().zip(&costs);
        let objects: Vec<_> = pairs
            .map(|(session, cost)| session_object(session, cost, owners.get(session.info.id.as_str())))
            .collect();
        return Ok(json(&objects)?);
    }
    if all.is_empty() {
        line("No sessions yet. `throughline` starts one; `throughline demo` shows one without a key.");
        return Ok(());
    }
    let mut heads = vec!["SESSION", "AGE", "TURNS", "REQUESTS", "COST", "RECORDS", "FOLDER", "TITLE"];
    // Only servers give sessions owners.
    let have_owners = !owners.is_empty();
    heads.extend(have_owners.then_some("OWNER"));
    let mut rows = vec![heads.into_iter().map(str::to_owned).collect()];
    let time = now();
    let hidden = all.iter().filter(|session| !args.agents && session.parent.is_some()).count();
    for (session, cost) in
        all.iter().zip(&costs).filter(|(session, _)| args.agents || session.parent.is_none())
    {
        let mut row = vec![
            session.info.id.to_string(),
            age(time, session.last_activity),
            session.exchanges.to_string(),
            session.requests.to_string(),
            cost_cell(&cost.own),
            group_thousands(session.records),
            folder_cell(&session.info.workspace),
            headline(&session.info.title, 60),
        ];
        row.extend(have_owners.then(|| owners.get(session.info.id.as_str()).cloned().unwrap_or_default()));
        rows.push(row);
    }
    for text in table(&rows) {
        line(&text);
    }
    if hidden > 0 {
        line(&format!("{hidden} more of sub-agents; --agents lists them."));
    }
    Ok(())
}
