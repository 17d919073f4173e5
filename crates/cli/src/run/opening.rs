//! Opens the session of a run.

use std::sync::Arc;

use throughline::{Error, Session};
use throughline_commands::{busy, refusal_of_run};
use throughline_config::{Config, workspace};
use throughline_session::{RunOptions, SessionModels, SessionOptions};
use throughline_stored::{SessionStart, Storage};
use throughline_terminal::note;
use throughline_text::shell_option;

use super::args::RunArgs;
use super::report::Report;
use super::user::RunUser;

/// What the runs of these arguments have in common.
pub(super) fn options(args: &RunArgs) -> RunOptions {
    args.session.agent.options(args.headless.max_turns)
}

/// Which session to open, and with which models.
pub(super) struct RunSession<'a> {
    pub(super) start: SessionStart,
    pub(super) models: &'a SessionModels,
    /// The title of a new session.
    pub(super) title: &'a str,
    /// Prints what sub-agents do.
    pub(super) report: &'a Arc<Report>,
}

/// Opens the session that a run works in, and prints what the user should know of it.
pub(super) async fn open(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    session: RunSession<'_>,
) -> anyhow::Result<Session> {
    let workspace = workspace(args.session.workspace.as_deref())?;
    let opened = throughline_session::open(SessionOptions {
        user: Arc::new(RunUser(Arc::clone(session.report))),
        start: session.start,
        id_prefix: "run",
        title: session.title.to_owned(),
        is_task: args.task.is_some(),
        fixed_files: args.task_files(),
        ..SessionOptions::new(Arc::new(config.clone()), data.clone(), workspace, session.models.clone())
    })
    .await;
    let task = shell_option("--task", args.task.as_deref());
    let opened = opened.map_err(|error| match error {
        Error::Busy { .. } => {
            let choice = args.session.agent.model.choice();
            let server = choice.server_options(&session.models.origin());
            let error = busy(error, data, args.session.workspace.as_deref(), server);
            anyhow::anyhow!(refusal_of_run(&error, &task))
        }
        error => error.into(),
    })?;
    opened.notices.iter().for_each(|text| note(text));
    Ok(opened)
}
