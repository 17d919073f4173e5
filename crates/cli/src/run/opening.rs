//! Opening the session that a run works in, and saying what its user should know before.

use std::sync::Arc;

use throughline::{
    Attendance, Config, ConnectError, ConnectedModel, OpenedSession, Opening, Servers, SessionSettings,
    SessionStart, Storage, ToolSet, permissions, workspace,
};
use throughline_agent::NextModel;
use throughline_permission::Unattended;

use super::args::RunArgs;
use crate::session::{busy, refusal_of_run};
use crate::shell::option;
use crate::terminal::note;

/// Opens the session that a run works in.
pub(super) async fn open(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    connected: &ConnectedModel,
    (start, fallbacks, title): (SessionStart, Vec<NextModel>, Option<&str>),
) -> anyhow::Result<OpenedSession> {
    let workspace = workspace(args.session.workspace.as_deref())?;
    let permissions = permissions(config, data.folder.root(), &workspace, Attendance::Unattended).await?;
    let servers = Arc::new(Servers::of(config, data.folder.root(), &workspace, Attendance::Unattended));
    let tools = args.session.tools.set();
    if tools == ToolSet::All {
        servers.start().await.iter().for_each(|text| note(text));
    }
    let settings = SessionSettings::of(&config.resolved);
    let opened = throughline::open(Opening {
        config,
        settings: &settings,
        storage: data,
        workspace: &workspace,
        model: connected.next(&settings, args.session.max_tokens),
        fallbacks,
        permissions: Arc::new(permissions),
        approver: Arc::new(Unattended),
        servers,
        tools,
        observer: &|tools| Ok(tools.clone()),
        start,
        id_prefix: "run",
        title: title.unwrap_or_default(),
        is_task: args.task.is_some(),
        max_requests: args.headless.max_turns,
    })
    .await;
    let task = option("--task", args.task.as_deref());
    let opened = opened.map_err(|error| {
        let error = busy(error, data, args.session.workspace.as_deref());
        anyhow::anyhow!(refusal_of_run(&error, &task))
    })?;
    opened.notices.iter().for_each(|text| note(text));
    Ok(opened)
}

/// What a project wants and does not get is said, and how it gets it.
pub(super) fn say_held_back(config: &Config) {
    let held = config.ignored();
    if !held.is_empty() {
        note("this project is not trusted, so some of what it sets has no effect (throughline trust):");
    }
    for text in held {
        note(&format!("  {text}"));
    }
}

/// Connects to the model that a run asks first, or to the first of its fallbacks that is available.
pub(super) async fn first_model(
    config: &Config,
    args: &RunArgs,
) -> Result<(ConnectedModel, Option<String>), ConnectError> {
    let own = config.model(&args.session.model.choice());
    ConnectedModel::first(&own, &config.fallbacks(&args.session.fallback)).await
}
