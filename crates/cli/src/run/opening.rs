//! Connects the models of a run and opens its session.

use std::sync::Arc;

use throughline::{
    Attendance, Config, ConnectError, ConnectedModel, OpenedSession, Opening, Servers, SessionSettings,
    SessionStart, Storage, ToolSet, permissions, workspace,
};
use throughline_conversation::Origin;
use throughline_permission::Unattended;

use super::args::RunArgs;
use super::start_error::StartError;
use crate::session::{busy, refusal_of_run};
use crate::shell::option;
use crate::terminal::note;

/// The models of a run.
pub(super) struct Models {
    connected: ConnectedModel,
    /// The names of its fallbacks.
    fallbacks: Vec<String>,
}

/// Which session to open, and with which models.
pub(super) struct RunSession<'a> {
    pub(super) start: SessionStart,
    pub(super) connected: &'a ConnectedModel,
    /// The names of fallbacks.
    pub(super) fallbacks: Vec<String>,
    /// The title of a new session.
    pub(super) title: &'a str,
}

impl Models {
    /// Connects to the first model that answers, and prints what the user should know of it.
    pub(super) async fn connect(
        args: &RunArgs,
        config: &Config,
        recorded: Option<&Origin>,
    ) -> Result<Self, StartError> {
        let (connected, notes) = first_model(config, args, recorded).await?;
        notes.iter().for_each(|text| note(text));
        note_untrusted(config);
        config.notices().iter().for_each(|text| note(text));
        if let Some(text) = &connected.row.note {
            note(text);
        }
        Ok(Self { connected, fallbacks: config.fallbacks(&args.session.fallback) })
    }

    /// A session with these models.
    pub(super) fn opening<'a>(&'a self, start: SessionStart, title: Option<&'a str>) -> RunSession<'a> {
        RunSession {
            start,
            connected: &self.connected,
            fallbacks: self.fallbacks.clone(),
            title: title.unwrap_or_default(),
        }
    }
}

/// Opens the session that a run works in.
pub(super) async fn open(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    session: RunSession<'_>,
) -> anyhow::Result<OpenedSession> {
    let RunSession { start, connected, fallbacks, title } = session;
    let workspace = workspace(args.session.workspace.as_deref())?;
    let permissions = permissions(config, data.folder.root(), &workspace, Attendance::Unattended).await?;
    let servers = Arc::new(Servers::of(config, data.folder.root(), &workspace, Attendance::Unattended));
    let tools = args.session.tools.set();
    if tools == ToolSet::All {
        servers.start().await.iter().for_each(|text| note(text));
    }
    let settings = SessionSettings::of(&config.resolved).for_session(data, &start).await?;
    let own = config.model(&args.session.model.choice());
    let (fallbacks, left_out) =
        connected.fallbacks(&own, &fallbacks, &settings, args.session.max_tokens).await;
    left_out.iter().for_each(|text| note(text));
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
        title,
        is_task: args.task.is_some(),
        max_requests: args.headless.max_turns,
        attendance: Attendance::Unattended,
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

/// Names the project settings that are ignored until the project is trusted.
fn note_untrusted(config: &Config) {
    let ignored = config.ignored();
    if !ignored.is_empty() {
        note("this project is not trusted, so some of its settings are ignored (throughline trust):");
    }
    for text in ignored {
        note(&format!("  {text}"));
    }
}

/// Connects to the model that a run asks first, or to the first of its fallbacks that is available.
pub(super) async fn first_model(
    config: &Config,
    args: &RunArgs,
    recorded: Option<&Origin>,
) -> Result<(ConnectedModel, Vec<String>), ConnectError> {
    let named = args.session.model.choice();
    let (own, fallbacks) = (config.model(&named), config.fallbacks(&args.session.fallback));
    let (connected, notes) = ConnectedModel::of_session(&own, &named, recorded, &fallbacks).await?;
    connected.check_limits(named.window, args.session.max_tokens)?;
    Ok((connected, notes))
}
