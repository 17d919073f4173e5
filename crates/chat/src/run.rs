//! Runs an interactive session from its opening to its end.

use std::process::ExitCode;

use throughline_commands::{Which, choose, foreign_session};
use throughline_connect::{ConnectError, ConnectedModel};
use throughline_conversation::ModelRecord;
use throughline_settings::keys;
use throughline_stored::{SessionStart, recorded_model};
use throughline_terminal::{complain, line, note};
use throughline_text::{error_chain, headline};
use throughline_tui::{Attention, Options, StatusPart, Theme};
use tokio::sync::mpsc;

use crate::driver::Driver;
use crate::error::ChatError;
use crate::options::ChatOptions;
use crate::screen::Screen;
use crate::setup::Setup;
use crate::signals::ScreenGuard;

/// Opens a session and a screen on it. Prints how the session can be continued when the user has left.
///
/// # Errors
/// No session can be opened, or no model can be asked. The screen does not exist then.
pub async fn run(options: ChatOptions) -> Result<ExitCode, ChatError> {
    let (show, shown) = mpsc::unbounded_channel();
    let (act, acts) = mpsc::unbounded_channel();
    let prompt = options.prompt.clone();
    let mut setup = Setup::load(options, Screen::new(show)).await?;
    let first = first(&setup).await?;
    let recorded = match &first {
        First::Open(start) => recorded_model(&setup.data, start).await?,
        First::Choose(_) => None,
    };
    let (connected, notes) = connect(&setup, recorded.as_ref()).await?;
    notes.into_iter().for_each(|text| setup.screen.notice(text));
    setup.model.clone_from(&connected.choice);
    let on_screen = Options { first: prompt, history: earlier_inputs(&setup), ..screen_options(&setup) };
    let mut driver = Driver::new(setup, connected, acts);
    match first {
        First::Open(start) => driver.open(start).await?,
        First::Choose(search) => driver.choose_first(search).await,
    }
    let driving = tokio::spawn(driver.run());
    let guard = ScreenGuard::begin();
    let shown = throughline_tui::run(shown, act, on_screen).await;
    drop(guard);
    // The session is closed before the program ends, also after a failure of the screen.
    let ended = driving.await.map_err(anyhow::Error::from)?;
    match shown {
        Ok(unsent) => unsent_text(&unsent).iter().for_each(|text| line(text)),
        Err(error) => complain(&error_chain(&error)),
    }
    for text in &ended.problems {
        note(text);
    }
    if let Some(session) = &ended.session {
        line(&format!("To continue: throughline{} --resume {session}{}", ended.option, ended.server));
    }
    Ok(ExitCode::from(ended.code))
}

/// What was queued and not sent; `None`: nothing. The inputs are in the history of later sessions.
fn unsent_text(unsent: &[String]) -> Option<String> {
    let first = headline(unsent.first()?, 120);
    Some(match unsent.len() {
        1 => format!("1 queued message was not sent: {first}"),
        more => format!("{more} queued messages were not sent. The first: {first}"),
    })
}

/// Connects to the model of the first session, and checks the limits that the command line names.
async fn connect(
    setup: &Setup,
    recorded: Option<&ModelRecord>,
) -> Result<(ConnectedModel, Vec<String>), ConnectError> {
    let named = &setup.options.run.model;
    let fallbacks = setup.config.fallbacks(&setup.options.run.fallbacks);
    let (connected, notes) = ConnectedModel::of_session(&setup.model, named, recorded, &fallbacks).await?;
    let most = setup.options.run.max_output_tokens;
    let lowered = connected.check_limits(named.window, most, &setup.config)?;
    Ok((connected, notes.into_iter().chain(lowered).collect()))
}

/// The inputs of earlier sessions in this workspace. The screen has them before it takes a key.
fn earlier_inputs(setup: &Setup) -> Vec<String> {
    setup.inputs.earlier().unwrap_or_else(|error| {
        setup.screen.notice(format!("The input history cannot be read: {}.", error_chain(&error)));
        Vec::new()
    })
}

/// Screen options from the settings, else from the environment.
fn screen_options(setup: &Setup) -> Options {
    let usual = Options::of_environment();
    let colours = match setup.config.resolved.get(keys::COLOUR).as_deref() {
        Some("always") => true,
        Some("never") => false,
        _ => usual.colours,
    };
    let theme = match setup.config.resolved.get(keys::THEME).as_deref() {
        Some("terminal") => Theme::Terminal,
        Some("dark") => Theme::Dark,
        Some("light") => Theme::Light,
        _ => Theme::Auto,
    };
    let ascii = usual.ascii || setup.config.resolved.get(keys::ASCII) == Some(true);
    let attention = match setup.config.resolved.get(keys::ATTENTION).as_deref() {
        Some("always") => Attention::Always,
        Some("never") => Attention::Never,
        _ => Attention::Auto,
    };
    Options { colours, theme, ascii, attention, status_line: status_parts(setup), ..usual }
}

/// The parts of the status line. A command of the user without a list of parts replaces the figures.
fn status_parts(setup: &Setup) -> Vec<StatusPart> {
    let resolved = &setup.config.resolved;
    match resolved.get(keys::STATUS_LINE) {
        Some(names) => names.iter().filter_map(|name| StatusPart::named(name)).collect(),
        None if resolved.get(keys::STATUS_COMMAND).is_some() => vec![StatusPart::Command],
        None => StatusPart::USUAL.to_vec(),
    }
}

/// The first thing on the screen.
enum First {
    Open(SessionStart),
    /// A list of sessions, filtered by this search.
    Choose(String),
}

async fn first(setup: &Setup) -> anyhow::Result<First> {
    let choice = &setup.options.choice;
    match &choice.which {
        Which::Choose => Ok(First::Choose(String::new())),
        Which::Named(name) => {
            if let Some(session) = foreign_session(&setup.data, name).await? {
                return Ok(First::Open(SessionStart::of(session, choice.fork)));
            }
            match setup.data.matching(name, choice.folder.as_deref()).await?.as_slice() {
                [one] => Ok(First::Open(SessionStart::of(one.info.id.clone(), choice.fork))),
                _ => Ok(First::Choose(name.clone())),
            }
        }
        Which::New | Which::Newest => Ok(First::Open(choose(choice, &setup.data).await?)),
    }
}

#[cfg(test)]
mod tests;
