//! The port of the lines that begin with `/`.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_agent::EventSink;
use throughline_config::Config;
use throughline_session::Session;
use throughline_stored::Storage;
use throughline_tools::CancelFlag;

/// A command, for the list that a client shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandInfo {
    /// Its name, without `/`.
    pub name: String,
    /// What it does, in one line.
    pub about: String,
    /// Its arguments; may be empty.
    pub arguments: String,
}

/// Runs lines that begin with `/` on an open session.
///
/// # Contract
/// - MUST NOT read standard input or write to standard output: both belong to the protocol.
/// - MUST NOT ask a question. What needs a confirmation says how to give it on the line.
/// - MUST end soon after the flag is raised.
///
/// # When it fails
/// The text says why, and what to write instead. The session is unchanged.
#[async_trait]
pub trait SessionCommands: Debug + Send + Sync {
    /// All commands of a session with these settings, those that are prompts among them.
    fn list(&self, config: &Config) -> Vec<CommandInfo>;

    /// The message that a line means, if it begins with a command that is a prompt: a built-in one, one of the project or
    /// of a plugin.
    fn message(&self, line: &str, config: &Config) -> Option<String>;

    /// Returns true if a line is meant as a command.
    fn is_command(&self, line: &str) -> bool;

    /// Returns true if the line compacts the session.
    fn compacts(&self, line: &str) -> bool;

    /// Runs a line and returns its answer.
    async fn run(
        &self,
        line: &str,
        storage: &Storage,
        session: &mut Session,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<String, String>;
}

const _: Option<&dyn SessionCommands> = None;
