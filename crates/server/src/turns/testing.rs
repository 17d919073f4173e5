//! What tests of turns begin with.

use std::time::Duration;

use throughline_session::{RunOptions, RunSources};

use super::TurnOptions;

/// One turn at a time, in no folder.
pub(crate) fn options() -> TurnOptions {
    TurnOptions {
        run: RunOptions::default(),
        sources: RunSources::default(),
        workspaces: Vec::new(),
        any_workspace: false,
        max_turns: 1,
        answer_timeout: Duration::ZERO,
    }
}
