//! The interactive session: a screen and a session, connected by two channels.

mod approver;
pub(crate) mod args;
mod background;
mod clipboard;
mod commands;
mod compacting;
mod custom_commands;
mod driver;
mod ending;
mod files;
mod live;
mod message;
mod models;
mod named_files;
mod observed_tools;
mod outputs;
mod permissions;
mod picking;
mod restored;
mod rewinding;
mod screen;
mod session_list;
mod setup;
mod signals;
mod status;
mod status_model;
mod transcript;
mod trust_question;
mod turn;
mod undoing;
mod user_command;
mod waiting;

use std::path::PathBuf;
use std::process::ExitCode;

use throughline::{ConnectError, ConnectedModel, SessionStart, recorded_model};
use throughline_conversation::Origin;
use throughline_settings::keys;
use throughline_text::error_chain;
use throughline_tui::{Attention, Options};
use tokio::sync::mpsc;

use crate::foreign::stored;
use crate::run::refuse;
use crate::session::Which;
use crate::session::choose;
use crate::session::refusal;
use crate::terminal::{complain, line, note};
use crate::usage::exit_code;
use args::ChatArgs;
use driver::Driver;
use screen::Screen;
use setup::Setup;
use signals::ScreenGuard;

/// Opens a session and a screen on it.
pub(crate) async fn run(args: ChatArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let (show, shown) = mpsc::unbounded_channel();
    let (act, acts) = mpsc::unbounded_channel();
    let screen = Screen::new(show);
    let mut setup = Setup::load(args.session, data_dir, screen).await?;
    // Errors of opening are printed before the screen exists.
    let first = match first(&setup).await {
        Ok(first) => first,
        Err(error) => return Ok(failed(&error)),
    };
    let recorded = match &first {
        First::Open(start) => recorded_model(&setup.data, start).await?,
        First::Choose(_) => None,
    };
    let (connected, notes) = match connect(&setup, recorded.as_ref()).await {
        Ok(connected) => connected,
        Err(error) => return Ok(refuse(error)),
    };
    notes.into_iter().for_each(|text| setup.screen.notice(text));
    setup.model.clone_from(&connected.choice);
    let options = Options { first: args.prompt, ..options(&setup) };
    let mut driver = Driver::new(setup, connected, acts);
    match first {
        First::Open(start) => {
            if let Err(error) = driver.open(start).await {
                return Ok(failed(&error));
            }
        }
        First::Choose(search) => driver.choose_first(search).await,
    }
    let driving = tokio::spawn(driver.run());
    let guard = ScreenGuard::begin();
    let shown = throughline_tui::run(shown, act, options).await;
    drop(guard);
    // The session is closed before the program ends, also after a failure of the screen.
    let ended = driving.await?;
    if let Err(error) = shown {
        complain(&error_chain(&error));
    }
    for text in &ended.problems {
        note(text);
    }
    if let Some(session) = &ended.session {
        line(&format!("To continue: throughline{} --resume {session}", ended.option));
    }
    Ok(ExitCode::from(ended.code))
}

/// Prints why no session could be opened.
fn failed(error: &anyhow::Error) -> ExitCode {
    complain(&refusal(error));
    ExitCode::from(exit_code(error))
}

/// Connects to the model of the first session, and checks the limits that the command line names.
async fn connect(
    setup: &Setup,
    recorded: Option<&Origin>,
) -> Result<(ConnectedModel, Vec<String>), ConnectError> {
    let (named, fallbacks) =
        (setup.args.agent.model.choice(), setup.config.fallbacks(&setup.args.agent.fallback));
    let (connected, notes) = ConnectedModel::of_session(&setup.model, &named, recorded, &fallbacks).await?;
    connected.check_limits(named.window, setup.args.agent.max_tokens)?;
    Ok((connected, notes))
}

/// Screen options from the settings, else from the environment.
fn options(setup: &Setup) -> Options {
    let usual = Options::of_environment();
    let colours = match setup.config.resolved.get(keys::COLOUR).as_deref() {
        Some("always") => true,
        Some("never") => false,
        _ => usual.colours,
    };
    let attention = match setup.config.resolved.get(keys::ATTENTION).as_deref() {
        Some("always") => Attention::Always,
        Some("never") => Attention::Never,
        _ => Attention::Auto,
    };
    Options { colours, attention, ..usual }
}

/// The first thing on the screen.
enum First {
    Open(SessionStart),
    /// A list of sessions, filtered by this search.
    Choose(String),
}

async fn first(setup: &Setup) -> anyhow::Result<First> {
    match setup.args.which() {
        Which::Choose => Ok(First::Choose(String::new())),
        Which::Named(name) => {
            if let Some(session) = stored(&setup.data, &name).await? {
                return Ok(First::Open(SessionStart::of(session, setup.args.fork)));
            }
            match setup.data.matching(&name, setup.args.folder()?.as_deref()).await?.as_slice() {
                [one] => Ok(First::Open(SessionStart::of(one.info.id.clone(), setup.args.fork))),
                _ => Ok(First::Choose(name)),
            }
        }
        Which::New | Which::Newest => Ok(First::Open(choose(&setup.args, &setup.data).await?)),
    }
}
