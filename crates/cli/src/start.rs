//! What happens when no command is named: a screen, one task without a screen, or a word about what is missing.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory as _;
use throughline_text::nearest_name;

use crate::args::Cli;
use crate::chat::{self, args::ChatArgs};
use crate::run::{self, args::RunArgs};
use crate::terminal::complain;

/// Starts what the arguments ask for.
pub(crate) async fn start(args: ChatArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    if args.print {
        return headless(args, data_dir).await;
    }
    if let Some(text) = args.prompt.as_deref().and_then(mistyped) {
        complain(&text);
        return Ok(ExitCode::from(2));
    }
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return chat::run(args, data_dir).await;
    }
    if args.prompt.is_some() {
        return headless(args, data_dir).await;
    }
    // Nobody is there to type, and nothing is asked.
    eprint_help();
    Ok(ExitCode::from(2))
}

async fn headless(args: ChatArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let ChatArgs { prompt, session, headless, .. } = args;
    run::run(RunArgs { prompt, task: None, session, headless }, data_dir).await
}

/// What is wrong with a prompt that is one word and looks like a command. A model is not asked about a slip of the finger.
fn mistyped(prompt: &str) -> Option<String> {
    if prompt.contains(char::is_whitespace) {
        return None;
    }
    let commands: Vec<String> =
        Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let near = nearest_name(prompt, commands.iter().map(String::as_str));
    let alone = !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal());
    match near {
        Some(near) => Some(format!(
            "there is no command {prompt:?}; did you mean `throughline {near}`? To say it to the model: throughline run {prompt}"
        )),
        None if alone => Some(format!(
            "there is no command {prompt:?}; `throughline --help` lists them. To say it to the model: throughline run {prompt}"
        )),
        None => None,
    }
}

fn eprint_help() {
    use std::io::Write as _;
    let help = Cli::command().render_help();
    // Where nobody reads it, nothing can be said.
    let _ = writeln!(std::io::stderr(), "{help}");
}
