//! Opens the session of a run.

use std::sync::Arc;

use throughline::{
    Config, Error, OpenRun, RunModels, RunOpening, RunOptions, RunUser, SessionStart, Storage, open_run,
    workspace,
};
use throughline_commands::{busy, refusal_of_run};
use throughline_permission::Unattended;
use throughline_terminal::note;
use throughline_text::shell_option;

use super::args::RunArgs;

/// What the runs of these arguments have in common.
pub(super) fn options(args: &RunArgs) -> RunOptions {
    args.session.agent.options(args.headless.max_turns)
}

/// Which session to open, and with which models.
pub(super) struct RunSession<'a> {
    pub(super) start: SessionStart,
    pub(super) models: &'a RunModels,
    /// The title of a new session.
    pub(super) title: &'a str,
}

/// Opens the session that a run works in, and prints what the user should know of it.
pub(super) async fn open(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    session: RunSession<'_>,
) -> anyhow::Result<OpenRun> {
    let opened = open_run(RunOpening {
        config,
        storage: data,
        workspace: &workspace(args.session.workspace.as_deref())?,
        models: session.models,
        user: RunUser::unattended(Arc::new(Unattended)),
        start: session.start,
        id_prefix: "run",
        title: session.title,
        is_task: args.task.is_some(),
    })
    .await;
    let task = shell_option("--task", args.task.as_deref());
    let opened = opened.map_err(|error| match error {
        Error::Busy { .. } => {
            let error = busy(error, data, args.session.workspace.as_deref());
            anyhow::anyhow!(refusal_of_run(&error, &task))
        }
        error => error.into(),
    })?;
    opened.notices.iter().for_each(|text| note(text));
    Ok(opened)
}
