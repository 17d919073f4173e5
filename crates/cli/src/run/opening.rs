//! Opening the session that a run works in, and saying what its user should know before.

use std::sync::Arc;

use throughline_agent::NextModel;
use throughline_permission::Unattended;

use super::args::RunArgs;
use crate::compose::{Data, workspace};
use crate::config::{Choice, Config};
use crate::connect::Connected;
use crate::permissions::{Attended, permissions};
use crate::session::args::Tools;
use crate::session::{self, Opened, Opening, Servers, Start};
use crate::shell::option;
use crate::terminal::note;

/// Opens the session that a run works in.
pub(super) async fn open(
    args: &RunArgs,
    config: &Config,
    data: &Data,
    connected: &Connected,
    (start, fallbacks, title): (Start, Vec<NextModel>, Option<&str>),
) -> anyhow::Result<Opened> {
    let workspace = workspace(args.session.workspace.as_deref())?;
    let permissions = permissions(config, data.folder.root(), &workspace, Attended::No).await?;
    let servers = Arc::new(Servers::of(config, data, &workspace, Attended::No));
    if args.session.tools == Tools::All {
        servers.start().await.iter().for_each(|text| note(text));
    }
    let opened = session::open(Opening {
        args: &args.session,
        config,
        choice: &Choice::of(&config.resolved),
        data,
        workspace: &workspace,
        connected,
        fallbacks,
        permissions: Arc::new(permissions),
        approver: Arc::new(Unattended),
        servers,
        watch: &|tools| Ok(tools.clone()),
        start,
        word: "run",
        title: title.unwrap_or_default(),
        is_task: args.task.is_some(),
        max_requests: args.headless.max_turns,
    })
    .await;
    let task = option("--task", args.task.as_deref());
    let opened = opened.map_err(|error| anyhow::anyhow!(session::refusal_of_run(&error, &task)))?;
    opened.notes.iter().for_each(|text| note(text));
    Ok(opened)
}

/// What a project wants and does not get is said, and how it gets it.
pub(super) fn say_held_back(config: &Config) {
    let held = config.held_back();
    if !held.is_empty() {
        note("this project is not trusted, so some of what it sets has no effect (throughline trust):");
    }
    for text in held {
        note(&format!("  {text}"));
    }
}
