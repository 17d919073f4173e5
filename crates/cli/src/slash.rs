//! Lines that begin with `/`: commands of the session, not messages to the model.

mod known;

use throughline_continuity::Change;
use throughline_conversation::{DocumentName, ExchangeId};
use throughline_text::nearest_name;

use crate::ask::Ask;
use crate::context::args::window;
use crate::documents::DocumentAsk;
use crate::messages::args::LISTED;
use crate::numbers::{parse_checkpoint, parse_compaction, parse_count, parse_group, parse_window};

pub(crate) use known::{COMMANDS, help, words};

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Slash {
    /// One that works wherever a session can be named.
    Ask(Ask),
    /// Compacts now.
    Compact {
        /// What is asked of the summary.
        instructions: Option<String>,
    },
    /// Lists the commands.
    Help,
    /// One that needs the screen.
    Screen(OnScreen),
}

/// A command that needs the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OnScreen {
    /// How the session stands.
    Status,
    /// Goes on with another model; `None`: with one of a list.
    Model(Option<String>),
    /// What may run without a question; with a change of it.
    Permissions(PermissionsAsk),
    /// Memos; with words: those that have one of them.
    Memos(Option<String>),
    /// The skills.
    Skills,
    /// The MCP servers.
    Mcp,
    /// Goes on with a turn that was cut off.
    Continue,
    /// Opens another session; with words: one that they fit.
    Resume(Option<String>),
    /// Lists the sessions.
    Sessions,
    /// Gives the session another title.
    Rename(String),
    /// Begins a new session.
    Clear,
    /// Leaves.
    Quit,
}

/// What is asked of the permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PermissionsAsk {
    /// Shows them.
    Show,
    /// Takes another mode.
    Mode(String),
    /// Forgets a remembered rule, by its number in the list.
    Remove(u64),
}

/// A line that is no command as it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SlashError {
    /// There is no such command.
    #[error(
        "there is no command {name}; {} A message to the model that begins like one: put a space in front",
        instead(name)
    )]
    Unknown {
        /// What was typed.
        name: String,
    },
    /// The command is written in another way.
    #[error("{why}; write: {usage}")]
    Usage {
        /// What is wrong.
        why: String,
        /// How it is written.
        usage: &'static str,
    },
}

/// What can be typed in the place of an unknown command.
fn instead(name: &str) -> String {
    match nearest_name(name, words()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("there are: {}.", words().join(", ")),
    }
}

const UNDO: &str = "/undo [--compaction | --purge [--yes]]";
const REDO: &str = "/redo [--compaction]";
const MESSAGES: &str = "/messages list [N] | show GID | remove GID [--yes]";
const CONTEXT: &str = "/context [window N | show | drop GID | restore GID | rebuild]";
const CHECKPOINTS: &str = "/checkpoints [N]";
const PERMISSIONS: &str = "/permissions [MODE | remove N]";
const RENAME: &str = "/rename TITLE";
const SESSION: &str =
    "/session scratchpad [show | set FILE | edit | history] or /session state [show | history]";

/// Whether a line is meant as a command: `/` and a word at its very start. A path (`/etc/hosts is empty`) is none.
pub(crate) fn is_command(line: &str) -> bool {
    let word = line.split_whitespace().next().filter(|word| line.starts_with(word));
    word.and_then(|word| word.strip_prefix('/')).is_some_and(|name| {
        let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'-' || byte == b'_';
        !name.is_empty() && name.bytes().all(letter)
    })
}

/// Reads a command.
///
/// # Errors
/// [`SlashError`], which says what can be written instead.
pub(crate) fn parse(line: &str) -> Result<Slash, SlashError> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    match name {
        "/undo" => undo(&rest),
        "/redo" => match rest.as_slice() {
            [] => Ok(Slash::Ask(Ask::Change(Change::Redo))),
            ["--compaction"] => Ok(Slash::Ask(Ask::Change(Change::RedoCompaction))),
            other => Err(odd(other, REDO)),
        },
        "/messages" | "/message" => messages(&rest).map(Slash::Ask),
        "/context" => context(&rest).map(Slash::Ask),
        "/session" => session(&rest).map(Slash::Ask),
        "/compact" => Ok(Slash::Compact { instructions: said(&rest) }),
        "/handoff" => alone(&rest, Slash::Ask(Ask::Handoff), "/handoff"),
        "/checkpoints" => match rest.as_slice() {
            [] => Ok(Slash::Ask(Ask::Checkpoints)),
            [number] => {
                let number = Some(taken(parse_checkpoint(number), CHECKPOINTS)?);
                Ok(Slash::Ask(Ask::Checkpoint { number }))
            }
            other => Err(odd(other, CHECKPOINTS)),
        },
        "/summaries" => alone(&rest, Slash::Ask(Ask::Summaries), "/summaries"),
        "/help" => alone(&rest, Slash::Help, "/help"),
        "/diff" => match rest.as_slice() {
            [] => Ok(Slash::Ask(Ask::Diff { number: None })),
            [number] => {
                let number = taken(parse_compaction(number), "/diff [N]")?;
                Ok(Slash::Ask(Ask::Diff { number: Some(number) }))
            }
            other => Err(odd(other, "/diff [N]")),
        },
        other => on_screen(other, &rest).map(Slash::Screen),
    }
}

fn on_screen(name: &str, rest: &[&str]) -> Result<OnScreen, SlashError> {
    let alone = |command, usage| if rest.is_empty() { Ok(command) } else { Err(odd(rest, usage)) };
    match name {
        "/status" => alone(OnScreen::Status, "/status"),
        "/model" => Ok(OnScreen::Model(said(rest))),
        "/permissions" => permissions(rest).map(OnScreen::Permissions),
        "/memos" => Ok(OnScreen::Memos(said(rest))),
        "/skills" => alone(OnScreen::Skills, "/skills"),
        "/mcp" => alone(OnScreen::Mcp, "/mcp"),
        "/continue" => alone(OnScreen::Continue, "/continue"),
        "/resume" => Ok(OnScreen::Resume(said(rest))),
        "/sessions" => alone(OnScreen::Sessions, "/sessions"),
        "/rename" => said(rest).map(OnScreen::Rename).ok_or_else(|| odd(rest, RENAME)),
        "/clear" | "/new" => alone(OnScreen::Clear, "/clear"),
        "/quit" | "/exit" => alone(OnScreen::Quit, "/quit"),
        other => Err(SlashError::Unknown { name: other.to_owned() }),
    }
}

fn permissions(rest: &[&str]) -> Result<PermissionsAsk, SlashError> {
    Ok(match rest {
        [] => PermissionsAsk::Show,
        ["remove", number] => {
            let means = "say which: the rule's number, as /permissions lists it";
            PermissionsAsk::Remove(taken(parse_count(number).map_err(|_| means.to_owned()), PERMISSIONS)?)
        }
        ["mode", mode] | [mode] => PermissionsAsk::Mode((*mode).to_owned()),
        other => return Err(odd(other, PERMISSIONS)),
    })
}

/// What stands behind a command, when something does.
fn said(rest: &[&str]) -> Option<String> {
    (!rest.is_empty()).then(|| rest.join(" "))
}

fn undo(rest: &[&str]) -> Result<Slash, SlashError> {
    Ok(Slash::Ask(match rest {
        [] => Ask::Change(Change::Undo),
        ["--compaction"] => Ask::Change(Change::UndoCompaction),
        ["--purge"] => Ask::Remove { group: None, yes: false },
        ["--purge", "--yes"] | ["--yes", "--purge"] => Ask::Remove { group: None, yes: true },
        other => return Err(odd(other, UNDO)),
    }))
}

fn messages(rest: &[&str]) -> Result<Ask, SlashError> {
    Ok(match rest {
        [] | ["list"] => Ask::List { most: LISTED },
        ["list", most] => Ask::List { most: taken(parse_count(most), MESSAGES)? },
        ["show", group] => Ask::Show { group: taken(parse_group(group), MESSAGES)? },
        ["remove", group] => Ask::Remove { group: Some(taken(parse_group(group), MESSAGES)?), yes: false },
        ["remove", group, "--yes"] | ["remove", "--yes", group] => {
            Ask::Remove { group: Some(taken(parse_group(group), MESSAGES)?), yes: true }
        }
        other => return Err(odd(other, MESSAGES)),
    })
}

fn context(rest: &[&str]) -> Result<Ask, SlashError> {
    let group = |text: &str| -> Result<ExchangeId, SlashError> { taken(parse_group(text), CONTEXT) };
    Ok(match rest {
        [] => Ask::Report,
        ["window", groups] => window(taken(parse_window(groups), CONTEXT)?),
        ["show"] => Ask::Assembled { request: false, editor: false },
        ["show", "--request"] => Ask::Assembled { request: true, editor: false },
        ["drop", asked] => Ask::Change(Change::Drop(group(asked)?)),
        ["restore", asked] => Ask::Change(Change::Restore(group(asked)?)),
        ["rebuild"] => Ask::Rebuild,
        other => return Err(odd(other, CONTEXT)),
    })
}

fn session(rest: &[&str]) -> Result<Ask, SlashError> {
    let (name, rest) = match rest {
        ["scratchpad", rest @ ..] => (DocumentName::Scratchpad, rest),
        ["state", rest @ ..] => (DocumentName::State, rest),
        other => return Err(odd(other, SESSION)),
    };
    let what = match (name, rest) {
        (_, [] | ["show"]) => DocumentAsk::Show,
        (_, ["history"]) => DocumentAsk::History { full: false },
        (_, ["history", "--full"]) => DocumentAsk::History { full: true },
        (DocumentName::Scratchpad, ["edit"]) => DocumentAsk::Edit,
        (DocumentName::Scratchpad, ["set", file]) => DocumentAsk::Set((*file).to_owned()),
        (_, other) => return Err(odd(other, SESSION)),
    };
    Ok(Ask::Document { name, what })
}

fn alone(rest: &[&str], slash: Slash, usage: &'static str) -> Result<Slash, SlashError> {
    if rest.is_empty() { Ok(slash) } else { Err(odd(rest, usage)) }
}

fn odd(rest: &[&str], usage: &'static str) -> SlashError {
    let why = match rest {
        [] => "something is missing".to_owned(),
        rest => format!("{:?} does not fit here", rest.join(" ")),
    };
    SlashError::Usage { why, usage }
}

fn taken<T>(parsed: Result<T, String>, usage: &'static str) -> Result<T, SlashError> {
    parsed.map_err(|why| SlashError::Usage { why, usage })
}

#[cfg(test)]
mod tests;
