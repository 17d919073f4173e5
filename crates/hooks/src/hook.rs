//! One hook and when it runs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::event::HookEvent;
use crate::matcher::Matcher;
use crate::variable::split_at_variables;

/// The instructions of a judge.
const JUDGE: &str = include_str!("judge.md");
/// Is replaced by the event in the text of a judge.
const ARGUMENTS: &str = "$ARGUMENTS";

/// Who wrote a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookOrigin {
    /// The user, for all projects.
    User,
    /// A project that the user trusts.
    Project,
}

/// What a hook does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookAction {
    /// A command line, which is given the event on standard input.
    Command(String),
    /// A text by which a model judges the event.
    Prompt(String),
    /// An address, to which the event is sent.
    Http(HttpTarget),
}

/// Where an event is sent.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpTarget {
    /// The address.
    pub url: String,
    /// Headers, in which `$NAME` and `${NAME}` are variables of the environment.
    pub(crate) headers: Vec<(String, String)>,
    /// The variables that the headers may have.
    pub variables: Vec<String>,
}

// The value of a header may be secret.
impl fmt::Debug for HttpTarget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        out.debug_struct("HttpTarget")
            .field("url", &self.url)
            .field("headers", &names)
            .finish_non_exhaustive()
    }
}

impl HttpTarget {
    /// The headers with the values of their variables. One that is not set or not among [`variables`](Self::variables) is empty. A
    /// `$NAME` within a value is not replaced.
    pub fn headers(&self, value: impl Fn(&str) -> Option<String>) -> Vec<(String, String)> {
        let allowed = |name: &str| {
            self.variables.iter().any(|variable| variable == name).then(|| value(name)).flatten()
        };
        let filled = |text: &str| {
            let parts = split_at_variables(text).into_iter();
            let parts = parts.map(|(text, name)| text + &name.and_then(allowed).unwrap_or_default());
            parts.collect::<String>()
        };
        self.headers.iter().map(|(name, text)| (name.clone(), filled(text))).collect()
    }
}

/// Something that is done at an event.
#[derive(Debug, Clone)]
pub struct Hook {
    /// When it runs.
    pub event: HookEvent,
    /// What it does.
    pub action: HookAction,
    /// It is ended after this time.
    pub timeout: Duration,
    /// It runs in the background, and what it says comes with the next message.
    pub is_async: bool,
    /// The file that it is from.
    pub place: String,
    /// Who wrote it.
    pub origin: HookOrigin,
    /// The folder of the plugin that it is from; `None`: it is from no plugin.
    pub plugin: Option<PathBuf>,
    pub(crate) matcher: Matcher,
}

impl Hook {
    /// The time of a command that names none.
    pub const TIMEOUT: Duration = Duration::from_secs(60);
    /// The time of the other kinds.
    pub const SHORT_TIMEOUT: Duration = Duration::from_secs(30);

    /// What it matches, as written; empty: everything.
    #[must_use]
    pub fn matcher(&self) -> &str {
        self.matcher.text()
    }

    /// The same as a hook of a plugin in this folder. `${NAME}` is replaced by the folder in a command, and a command is given a
    /// variable of that name, see [`plugin`](Self::plugin).
    #[must_use]
    pub fn of_plugin(mut self, folder: &Path, name: &str) -> Self {
        if let HookAction::Command(text) = &mut self.action {
            *text = text.replace(&format!("${{{name}}}"), &folder.display().to_string());
        }
        self.plugin = Some(folder.to_owned());
        self
    }

    /// Its kind, as in files.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.action {
            HookAction::Command(_) => "command",
            HookAction::Prompt(_) => "prompt",
            HookAction::Http(_) => "http",
        }
    }

    /// Its command line, the text of its judge, or its address.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.action {
            HookAction::Command(text) | HookAction::Prompt(text) => text,
            HookAction::Http(target) => &target.url,
        }
    }
}

/// The message for a model that judges an event by a text.
#[must_use]
pub fn judge_message(text: &str, input: &str) -> String {
    let input = input.trim_end();
    let asked = match text.contains(ARGUMENTS) {
        true => text.replace(ARGUMENTS, input),
        false => format!("{text}\n\n{input}"),
    };
    format!("{}\n\n{asked}", JUDGE.trim_end())
}
