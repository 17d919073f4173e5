//! `throughline watch --list`: which sessions of other agents have their context here.

use anyhow::Context as _;
use throughline_commands::age;
use throughline_stored::{DeletedSessions, SessionHandle, Storage, now};
use throughline_terminal::{line, table};
use throughline_text::headline;
use throughline_watch::{
    Delivery, ForeignCompaction, branch_of, compactions, contexts_given, modified_at, sessions_of_all,
    stored_of_opencode,
};

use crate::data_args::DataArgs;

/// Prints the newest sessions of the folder, as what each is stored, and how many of its compactions got the context.
pub(super) async fn list(data: &DataArgs) -> anyhow::Result<()> {
    let files = sessions_of_all(data.any_folder);
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let others = stored_of_opencode(&storage, data.any_folder).await?;
    let rows = match files {
        Err(error) if others.is_empty() => return Err(error.into()),
        files => files.unwrap_or_default(),
    };
    let stored = storage.sessions().await?;
    let deleted = DeletedSessions::in_folder(storage.folder.root());
    let mut cells = vec![["SESSION", "AGE", "STORED AS", "RESTORED", "TITLE"].map(str::to_owned).to_vec()];
    for (agent, transcript, title) in rows {
        let branch = branch_of(&stored, agent, &transcript.id);
        let stored_as = match branch {
            Some(session) => session.info.id.to_string(),
            None if deleted.contains(&agent.session_id(&transcript.id)?)? => "(deleted)".to_owned(),
            None => "-".to_owned(),
        };
        let found = compactions(agent, &transcript.path)
            .with_context(|| format!("cannot read {}", transcript.path.display()))?;
        // The file of a fork may have only what is new in it.
        let stored_title = branch.map(|session| &session.info.title).filter(|title| !title.is_empty());
        cells.push(vec![
            format!("{agent}:{}", transcript.id),
            age(now(), modified_at(&transcript)),
            stored_as,
            restored(&found),
            headline(stored_title.unwrap_or(&title), 60),
        ]);
    }
    for (name, session) in others {
        let given =
            contexts_given(&SessionHandle::new(storage.clone(), session.info.id.clone())).await?.len();
        cells.push(vec![
            name.to_string(),
            age(now(), session.last_activity),
            session.info.id.to_string(),
            if given == 0 { "-".to_owned() } else { format!("{given} given") },
            headline(&session.info.title, 60),
        ]);
    }
    table(&cells).iter().for_each(|text| line(text));
    Ok(())
}

/// How many compactions got the context, of all.
fn restored(found: &[ForeignCompaction]) -> String {
    let delivered =
        found.iter().filter(|one| matches!(one.delivery, Delivery::Delivered | Delivery::Late)).count();
    if found.is_empty() { "-".to_owned() } else { format!("{delivered} of {}", found.len()) }
}
