//! The program without a subcommand: an interactive session, one prompt without a screen, or an error.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory as _;
use throughline_chat::{ChatError, ChatOptions};
use throughline_connect::ConnectError;
use throughline_terminal::{complain, note};
use throughline_text::nearest_name;

use crate::args::Cli;
use crate::chat_args::ChatArgs;
use crate::login;
use crate::run;
use crate::run::args::RunArgs;

/// Starts an interactive session or a run, depending on the arguments and the terminal.
pub(crate) async fn start(args: ChatArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    if args.print {
        return headless(args, data_dir).await;
    }
    if let Some(text) = args.prompt.as_deref().and_then(mistyped) {
        complain(&text);
        return Ok(ExitCode::from(2));
    }
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return chat(args, data_dir).await;
    }
    if args.prompt.is_some() {
        return headless(args, data_dir).await;
    }
    complain(
        "there is no terminal for an interactive session; use `throughline run PROMPT`, or see `throughline --help`",
    );
    Ok(ExitCode::from(2))
}

/// Opens a session on the screen.
async fn chat(args: ChatArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let ChatArgs { prompt, session, .. } = args;
    let options = ChatOptions {
        prompt,
        run: session.agent.options(None),
        sources: session.agent.sources(data_dir),
        choice: session.choice()?,
        workspace: session.workspace,
    };
    let again = options.clone();
    let ended = match throughline_chat::run(options).await {
        // A first run: the user says what to use, and the session begins.
        Err(ChatError::NoModel(error)) if is_unconfigured(&error) => {
            note("No model is configured yet.");
            if !login::choose().await? {
                return Ok(run::refuse(error));
            }
            throughline_chat::run(again).await
        }
        ended => ended,
    };
    match ended {
        Ok(code) => Ok(code),
        Err(ChatError::NoModel(error)) => Ok(run::refuse(error)),
        Err(ChatError::Other(error)) => Err(error),
    }
}

/// Returns true if there is no provider at all, and nothing names one.
fn is_unconfigured(error: &ConnectError) -> bool {
    matches!(error, ConnectError::NoProvider { named: None, empty } if empty.is_empty())
}

async fn headless(args: ChatArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let ChatArgs { prompt, session, headless, .. } = args;
    run::run(
        RunArgs { prompt, task: None, tree: run::args::TreeArgs::default(), session, headless },
        data_dir,
    )
    .await
}

/// An error for a one-word prompt that looks like a mistyped subcommand. It would cost a request.
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
            "there is no command {prompt:?}; did you mean `throughline {near}`? To send it to the model: throughline run {prompt}"
        )),
        None if alone => Some(format!(
            "there is no command {prompt:?}; `throughline --help` lists them. To send it to the model: throughline run {prompt}"
        )),
        None => None,
    }
}
