//! `throughline sessions`: the list of sessions.

mod delete;

use throughline::{Storage, now};
use throughline_continuity::SessionDirectory;
use throughline_text::group_thousands;

use crate::age::age;
use crate::args::{SessionsArgs, SessionsCommand};
use crate::data_args::DataArgs;
use crate::terminal::{headline, json, line, table};

/// Lists the sessions, newest first, or deletes some.
pub(crate) async fn run(args: &SessionsArgs, place: &DataArgs) -> anyhow::Result<()> {
    if let Some(SessionsCommand::Delete { sessions, yes }) = &args.what {
        return delete::delete(sessions, *yes, place).await;
    }
    let data = Storage::open_to_read(place.data_dir.clone()).await?;
    let all = data.store.sessions().list().await?;
    if args.json {
        let objects: Vec<_> = all
            .iter()
            .map(|session| {
                serde_json::json!({
                    "session": session.info.id,
                    "title": session.info.title,
                    "workspace": session.info.workspace,
                    "model": session.info.model,
                    "created_ms": session.info.created,
                    "last_activity_ms": session.last_activity,
                    "records": session.records,
                    "exchanges": session.exchanges,
                    "requests": session.requests,
                })
            })
            .collect();
        return json(&objects);
    }
    if all.is_empty() {
        line("No sessions yet. `throughline demo` creates one.");
        return Ok(());
    }
    let mut rows =
        vec![["SESSION", "AGE", "TURNS", "REQUESTS", "RECORDS", "TITLE"].map(str::to_owned).to_vec()];
    let time = now();
    for session in &all {
        rows.push(vec![
            session.info.id.to_string(),
            age(time, session.last_activity),
            session.exchanges.to_string(),
            session.requests.to_string(),
            group_thousands(session.records),
            headline(&session.info.title, 60),
        ]);
    }
    for text in table(&rows) {
        line(&text);
    }
    Ok(())
}
