//! A prompt that begins with `/`: a command on the session.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;
use throughline::Session;
use throughline::ports::{CancelFlag, SessionId};
use throughline_commands::compaction::{
    MadeCompaction, compacted, is_storage_failure, make_or_show, not_compacted, preview, summary_prices,
};
use throughline_commands::slash::{Slash, help_with, parse};
use throughline_commands::{Answer, CommandTarget, PromptCommands, SessionCommand, Which, choose, execute};
use throughline_config::Config;
use throughline_session::SessionModels;
use throughline_stored::{SessionStart, SessionWriter, Storage, recorded_model};
use throughline_terminal::{note, pager};
use throughline_text::error_chain;

use super::args::{Output, RunArgs};
use super::opening::{RunSession, options};
use super::report::Report;
use super::start_error::StartError;

/// Runs the command. Only `/compact` and `/context rebuild` call a model.
pub(super) async fn run(
    args: &RunArgs,
    data_dir: Option<PathBuf>,
    line: &str,
) -> Result<ExitCode, StartError> {
    let slash = parse(line).map_err(|error| StartError::usage(error.to_string()))?;
    if let Slash::Screen(_) = slash {
        let name = line.split_whitespace().next().unwrap_or_default();
        let text = format!("{name} is a command of the interactive session; start one: throughline -c");
        return Err(StartError::usage(text));
    }
    let report = Arc::new(Report::new(args.headless.output, CancelFlag::new()));
    let answer = match &slash {
        Slash::Help | Slash::Screen(_) => {
            Answer::lines(&help_with(&PromptCommands::of(&args.session.settings(data_dir)?)))
        }
        _ if args.session.which() == Which::New => {
            let text = "a command needs a session; name it with --continue or --resume";
            return Err(StartError::usage(text));
        }
        slash => {
            let config = args.session.settings(data_dir.clone())?;
            let data = Storage::open_with(data_dir, config.storage()).await?;
            match slash {
                Slash::Compact { preview, instructions } => {
                    let instructions = instructions.join(" ");
                    let job = CompactCommand { args, config: &config, data: &data, report: &report };
                    job.run(&instructions, *preview).await?
                }
                Slash::Session(command) => match command.command() {
                    SessionCommand::Rebuild => rebuild(args, &config, &data, &report).await?,
                    command => {
                        let session = named(args, &data).await?;
                        execute(&CommandTarget::new(data, session), &mut SessionWriter::Handle, &command)
                            .await?
                    }
                },
                Slash::Help | Slash::Screen(_) => Answer::lines(&[]),
            }
        }
    };
    match args.headless.output {
        Output::Text => pager::show(&answer.text),
        Output::Json | Output::StreamJson => {
            report.object(&json!({ "type": "command", "command": line.trim(), "answer": answer.json }));
        }
    }
    Ok(ExitCode::from(report.code(0)))
}

/// Regenerates STATE: by the model, or by rule if none is configured.
async fn rebuild(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    report: &Arc<Report>,
) -> Result<Answer, StartError> {
    let recorded = recorded_model(data, &choose(&args.session.choice()?, data).await?).await?;
    let Ok(models) = SessionModels::connect(&options(args), config, recorded.as_ref()).await else {
        let target = CommandTarget::new(data.clone(), named(args, data).await?);
        return Ok(execute(&target, &mut SessionWriter::Handle, &SessionCommand::Rebuild).await?);
    };
    let mut opened = open(args, config, data, models, report).await?;
    let target = CommandTarget::new(data.clone(), opened.agent.session().clone());
    let mut writer = SessionWriter::Agent(&mut opened.agent, report.as_ref());
    let answer = execute(&target, &mut writer, &SessionCommand::Rebuild).await;
    opened.close_with(report.as_ref()).await?;
    saved(report, &target.handle.session)?;
    Ok(answer?)
}

/// `/compact` in a run.
struct CompactCommand<'a> {
    args: &'a RunArgs,
    config: &'a Config,
    data: &'a Storage,
    report: &'a Arc<Report>,
}

impl CompactCommand<'_> {
    /// Compacts now, or shows what a compaction would do.
    async fn run(&self, instructions: &str, shown_first: bool) -> Result<Answer, StartError> {
        let Self { args, config, data, report } = self;
        let recorded = recorded_model(data, &choose(&args.session.choice()?, data).await?).await?;
        let models = SessionModels::connect(&options(args), config, recorded.as_ref()).await?;
        models.instead().iter().for_each(|text| note(text));
        let mut opened = open(args, config, data, models, report).await?;
        let target = CommandTarget::new((*data).clone(), opened.agent.session().clone());
        let instructions = Some(instructions).filter(|text| !text.is_empty());
        let (agent, cancel) = (&mut opened.agent, report.cancel());
        let made = make_or_show(agent, instructions, shown_first, report.as_ref(), &cancel).await;
        let prices = summary_prices(&opened.agent);
        opened.close_with(report.as_ref()).await?;
        saved(report, &target.handle.session)?;
        Ok(
            match made.map_err(|error| match is_storage_failure(&error) {
                // The disk refuses the store's bytes or the log's records: which of them comes first is chance.
                true => StartError::not_stored(target.handle.session.clone(), error_chain(&error)),
                false => anyhow::anyhow!("nothing was compacted: {}", not_compacted(&error)).into(),
            })? {
                MadeCompaction::Proposed(proposal) => preview(&proposal, &prices)?,
                MadeCompaction::Applied(applied) => compacted(&target, &applied, instructions).await?,
            },
        )
    }
}

/// Fails if the end of the session is not on disk.
fn saved(report: &Report, session: &SessionId) -> Result<(), StartError> {
    match report.tally().unsaved {
        Some(cause) => Err(StartError::unsaved(session.clone(), &cause)),
        None => Ok(()),
    }
}

async fn open(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    models: SessionModels,
    report: &Arc<Report>,
) -> anyhow::Result<Session> {
    let start = choose(&args.session.choice()?, data).await?;
    super::open(args, config, data, RunSession { start, models: &models.alone(), title: "", report }).await
}

/// The session that the arguments name. It is not opened.
async fn named(args: &RunArgs, data: &Storage) -> anyhow::Result<SessionId> {
    match choose(&args.session.choice()?, data).await? {
        SessionStart::Existing(session) => Ok(session),
        SessionStart::New | SessionStart::Fork(_) => {
            anyhow::bail!("--fork has no effect on this command; leave it out")
        }
    }
}
