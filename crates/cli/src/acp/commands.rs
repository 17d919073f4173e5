//! Lines that begin with `/`, for an editor.

use anyhow::{anyhow, bail};
use async_trait::async_trait;
use throughline::Session;
use throughline::ports::{CancelFlag, EventSink};
use throughline_acp::{CommandInfo, SessionCommands};
use throughline_commands::compaction::{
    MadeCompaction, compacted, make_or_show, not_compacted, preview, summary_prices,
};
use throughline_commands::slash::{self, CommandUsage, Slash};
use throughline_commands::{Answer, CommandTarget, DocumentAction, PromptCommands, SessionCommand, execute};
use throughline_config::Config;
use throughline_stored::{SessionWriter, Storage};
use throughline_text::error_chain;

/// The commands that need no screen.
#[derive(Debug)]
pub(super) struct SlashCommands;

#[async_trait]
impl SessionCommands for SlashCommands {
    fn list(&self, config: &Config) -> Vec<CommandInfo> {
        let info = |command: CommandUsage| {
            let CommandUsage { name, arguments, about } = command;
            CommandInfo { name, about, arguments }
        };
        let prompts = PromptCommands::of(config);
        let prompts = prompts.rows().into_iter().map(|prompt| CommandInfo {
            name: prompt.name.clone(),
            about: prompt.about.clone(),
            arguments: prompt.arguments.clone(),
        });
        slash::without_screen().into_iter().map(info).chain(prompts).collect()
    }

    fn message(&self, line: &str, config: &Config) -> Option<String> {
        slash::is_unknown(line).then(|| PromptCommands::of(config).message(line)).flatten()
    }

    fn is_command(&self, line: &str) -> bool {
        slash::is_command(line)
    }

    fn compacts(&self, line: &str) -> bool {
        matches!(slash::parse(line), Ok(Slash::Compact { preview: false, .. }))
    }

    async fn run(
        &self,
        line: &str,
        storage: &Storage,
        session: &mut Session,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<String, String> {
        let answer = answer(line, storage, session, sink, cancel).await;
        answer.map(|answer| answer.text).map_err(|error| error_chain(error.as_ref()))
    }
}

async fn answer(
    line: &str,
    storage: &Storage,
    session: &mut Session,
    sink: &dyn EventSink,
    cancel: &CancelFlag,
) -> anyhow::Result<Answer> {
    let agent = &mut session.agent;
    // What an answer names as the next step is a line that begins with `/`, too.
    let target =
        CommandTarget { on_screen: true, ..CommandTarget::new(storage.clone(), agent.session().clone()) };
    match slash::parse(line)? {
        Slash::Help => {
            let lines: Vec<String> = slash::help(false).trim_end().lines().map(str::to_owned).collect();
            Ok(Answer::lines(&lines))
        }
        Slash::Screen(_) => {
            let name = line.split_whitespace().next().unwrap_or_default();
            bail!("{name} is a command of the terminal; /help lists those that work here")
        }
        Slash::Session(command) => match command.command() {
            SessionCommand::Assembled { editor: true, .. }
            | SessionCommand::Document { action: DocumentAction::Edit, .. } => {
                bail!("this command opens an editor in the terminal; write the same without --editor or edit")
            }
            SessionCommand::Document { action: DocumentAction::Set(file), .. } if file == "-" => {
                bail!("standard input belongs to the protocol; name a file")
            }
            command => execute(&target, &mut SessionWriter::Agent(agent, sink), &command).await,
        },
        Slash::Compact { preview: shown_first, instructions } => {
            let instructions = Some(instructions.join(" ")).filter(|text| !text.is_empty());
            let made = make_or_show(agent, instructions.as_deref(), shown_first, sink, cancel).await;
            match made.map_err(|error| anyhow!("nothing was compacted: {}", not_compacted(&error)))? {
                MadeCompaction::Proposed(proposal) => preview(&proposal, &summary_prices(agent)),
                MadeCompaction::Applied(applied) => {
                    compacted(&target, &applied, instructions.as_deref()).await
                }
            }
        }
    }
}
