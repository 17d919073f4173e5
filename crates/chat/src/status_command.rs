//! The user's command for the status line: it is given what the line is made of, and the first line that it prints is shown.

use std::time::Duration;

use serde_json::{Value, json};
use throughline_session::command_of_settings;
use throughline_settings::keys;
use throughline_text::headline;
use throughline_tools::{CancelFlag, CommandEnding, CommandRunner, ToolContext};

use super::setup::Setup;
use super::status_model::StatusModel;

/// The time that it has.
const LIMIT: Duration = Duration::from_secs(5);
/// How long changes are collected before it runs.
const PAUSE: Duration = Duration::from_millis(300);
/// Characters of its error in a notice.
const MAX_NOTICE: usize = 200;

/// Runs the command when the figures have changed, one run at a time, until the screen is closed. Without a command nothing is done.
pub(super) fn follow(setup: &Setup) {
    let Some(command) = setup.config.resolved.get(keys::STATUS_COMMAND) else { return };
    let origin = setup.config.resolved.origin(keys::STATUS_COMMAND);
    let runner = command_of_settings(&setup.config, &setup.workspace, &origin);
    let setup = setup.clone();
    tokio::spawn(async move {
        let mut has_failed = false;
        loop {
            setup.screen.changed().await;
            tokio::time::sleep(PAUSE).await;
            if setup.screen.is_closed() {
                return;
            }
            let input = object(&setup, &setup.screen.status().clone());
            match output(&setup, &runner, &command, &input).await {
                Ok(text) => {
                    setup.screen.set_command(Some(text));
                    has_failed = false;
                }
                Err(why) => {
                    setup.screen.set_command(None);
                    if !std::mem::replace(&mut has_failed, true) {
                        setup.screen.notice(format!("ui.status_command ({origin}) {why}"));
                    }
                }
            }
        }
    });
}

/// The first line that the command prints.
async fn output(
    setup: &Setup,
    runner: &CommandRunner,
    command: &str,
    input: &Value,
) -> Result<String, String> {
    let cancel = CancelFlag::new();
    let context = ToolContext { cancel, ..ToolContext::new(&setup.workspace) };
    let ran = runner.run_piped(command, &context, LIMIT, &format!("{input}\n"), &[]).await;
    let (output, ending) = ran.map_err(|error| format!("could not be started: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match ending {
        CommandEnding::Exit(0) => {
            Ok(text(&output.stdout).lines().next().unwrap_or_default().trim().to_owned())
        }
        CommandEnding::TimedOut => Err(format!("was ended after {} s", LIMIT.as_secs())),
        CommandEnding::Exit(status) => {
            let why = headline(&text(&output.stderr), MAX_NOTICE);
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            Err(format!("exited with status {status}{why}"))
        }
        _ => Err("did not come to its end".to_owned()),
    }
}

/// What the command is given on its standard input: the names are those of Claude Code's status line, and own ones behind them.
fn object(setup: &Setup, status: &StatusModel) -> Value {
    let line = status.line();
    let folder = setup.workspace.display().to_string();
    json!({
        "hook_event_name": "Status",
        "session_id": status.session.as_ref().map(ToString::to_string),
        "session_name": line.title,
        "cwd": folder,
        "model": { "id": status.origin(), "display_name": line.model },
        "workspace": { "current_dir": folder, "project_dir": setup.config.project.root },
        "version": env!("CARGO_PKG_VERSION"),
        "cost": { "total_cost_usd": line.dollars, "at_least": line.dollars_at_least },
        "context_window": {
            "context_window_size": line.window_tokens,
            "used_tokens": line.context_tokens,
            "used_percentage": line.context_percent,
            "remaining_percentage": line.context_percent.map(|used| 100_u64.saturating_sub(used)),
            "compacts_at": line.compacts_at,
            "cached_percentage": line.cached_percent,
        },
        "permission_mode": line.mode,
        "effort": line.effort,
        "branch": line.branch,
        "turn_cost_usd": line.turn.dollars,
    })
}
