//! What a turn is begun with, and where it may work.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use axum::http::StatusCode;
use throughline_config::workspace;
use throughline_session::{RunOptions, RunSources};
use throughline_stored::{FolderScope, SessionStart};
use throughline_text::error_chain;

use crate::answer::Failure;

/// What the turns of a server have in common.
#[derive(Debug, Clone)]
pub struct TurnOptions {
    /// The model and its tools.
    pub run: RunOptions,
    /// Where the settings come from.
    pub sources: RunSources,
    /// The folders in which turns may work, with all links followed. New sessions work in the first one, unless they name
    /// another.
    pub workspaces: Vec<PathBuf>,
    /// Turns may work in every folder.
    pub any_workspace: bool,
    /// Maximum number of turns at the same time.
    pub max_turns: usize,
    /// How long a question waits for its answer; zero: nothing is asked, and what would be asked is denied.
    pub answer_timeout: Duration,
}

/// A turn that is asked for.
#[derive(Debug)]
pub(crate) struct TurnOrder {
    pub(crate) start: SessionStart,
    pub(crate) workspace: PathBuf,
    /// `None`: continue the turn that was interrupted.
    pub(crate) prompt: Option<String>,
    /// Another model than that of the server or of the session.
    pub(crate) model: Option<String>,
    /// Who begins it: a new session is this user's. `None`: the server's own token was shown.
    pub(crate) owner: Option<String>,
}

/// Returns true if a path that is no folder can only be one in a scope: it has no `..`, and no link leads out of the scope.
fn is_within(scope: &FolderScope, named: &Path) -> bool {
    if scope.is_all() {
        return true;
    }
    let is_plain = !named.components().any(|part| part == Component::ParentDir);
    let leads_out = |folder: &Path| {
        scope.contains(folder) && folder.canonicalize().is_ok_and(|folder| !scope.contains(folder))
    };
    is_plain && scope.contains(named) && !named.ancestors().any(leads_out)
}

impl TurnOptions {
    /// The first folder of the server that is in a scope. Where the server has none of its folders, the first of the scope.
    pub(crate) fn first_folder(&self, scope: &FolderScope) -> Result<PathBuf, Failure> {
        let none = || Failure::input("`workspace` is missing: the server was started without one");
        let own = self.workspaces.iter().find(|folder| scope.contains(folder));
        own.or(scope.folders().first()).cloned().ok_or_else(none)
    }

    /// The folder that a turn of a user with this scope may work in; `None`: the first one.
    pub(crate) fn folder(&self, named: Option<&Path>, scope: &FolderScope) -> Result<PathBuf, Failure> {
        let named = named.map_or_else(|| self.first_folder(scope), |named| Ok(named.to_owned()))?;
        let outside = || {
            let why = format!("this token does not open {}: it is for other folders", named.display());
            Failure::new(StatusCode::FORBIDDEN, why)
        };
        let folder = match workspace(Some(&named)) {
            Ok(folder) if !scope.contains(&folder) => return Err(outside()),
            Ok(folder) => folder,
            // Whether there is such a folder is not said either.
            Err(_) if !is_within(scope, &named) => return Err(outside()),
            Err(error) => return Err(Failure::input(error_chain(&error))),
        };
        if self.any_workspace || self.workspaces.contains(&folder) {
            return Ok(folder);
        }
        let why = format!(
            "this server runs no turns in {}; start it with --workspace and that folder, or with --any-workspace",
            folder.display()
        );
        Err(Failure::new(StatusCode::FORBIDDEN, why))
    }
}
