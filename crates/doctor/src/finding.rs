//! What is found.

use serde::Serialize;

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Area {
    /// The program and the system.
    Program,
    /// Settings files, variables and options.
    Settings,
    /// The project of the folder and its trust.
    Project,
    /// The model that a session would use.
    Model,
    /// A provider with a key, or a local server.
    Provider,
    /// The search of the web.
    Search,
    /// The sandbox of commands.
    Sandbox,
    /// The program `git`.
    Git,
    /// The data folder.
    DataFolder,
    /// The database.
    Database,
    /// The terminal.
    Terminal,
}

impl Area {
    /// Its name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Settings => "settings",
            Self::Project => "project",
            Self::Model => "model",
            Self::Provider => "provider",
            Self::Search => "web search",
            Self::Sandbox => "sandbox",
            Self::Git => "git",
            Self::DataFolder => "data folder",
            Self::Database => "database",
            Self::Terminal => "terminal",
        }
    }
}

/// How it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it should be.
    Good,
    /// Works, with a limit that the user may want to know.
    Note,
    /// Does not work.
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is about.
    pub area: Area,
    /// How it is.
    pub verdict: Verdict,
    /// What was seen, as one line.
    pub text: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    pub(crate) fn good(area: Area, text: impl Into<String>) -> Self {
        Self { area, verdict: Verdict::Good, text: text.into(), fix: None }
    }

    pub(crate) fn note(area: Area, text: impl Into<String>) -> Self {
        Self { area, verdict: Verdict::Note, text: text.into(), fix: None }
    }

    pub(crate) fn problem(area: Area, text: impl Into<String>) -> Self {
        Self { area, verdict: Verdict::Problem, text: text.into(), fix: None }
    }

    pub(crate) fn fix(self, fix: impl Into<String>) -> Self {
        Self { fix: Some(fix.into()), ..self }
    }
}
