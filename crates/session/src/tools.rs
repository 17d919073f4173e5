//! The built-in tools of a session.

mod checked_sandboxes;
mod home_workspace;
mod nested_repositories;
mod program_note;
mod project_folders;
mod sandbox;

use std::path::{Path, PathBuf};
#[cfg(feature = "fetch")]
use std::sync::Arc;

#[cfg(feature = "fetch")]
use throughline_fetch::{FetchPolicy, FetchTool, SearchTool};
#[cfg(feature = "fetch")]
use throughline_settings::keys;
use throughline_tools::{BuiltinTools, FileScope, Jobs, ToolRegistry};

use throughline_config::Config;
use throughline_config::config_folder;
#[cfg(feature = "fetch")]
use throughline_stored::Error;
use throughline_stored::Result;

pub use home_workspace::check_unattended;
pub(crate) use home_workspace::{home_note, is_home};
pub(crate) use program_note::program_note;
pub use sandbox::{SANDBOX_MODE, sandbox_notes, this_program};
pub(crate) use sandbox::{free_runner, gate_runner, is_sandboxed, runner, writable};

/// Tools that change nothing.
const READING: &[&str] = &["read_file", "grep", "list_files", "update_checklist"];

/// Which built-in tools the model is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolSet {
    /// Reading, searching, writing, the shell, and those of MCP servers.
    #[default]
    All,
    /// Reading and searching only.
    Read,
    /// None.
    None,
}

/// The folders that file tools may use. They never write the user's settings, and the data folder, which holds the trust in
/// projects and the logs, nor these files.
pub(crate) fn scope(config: &Config, data: &Path, fixed: &[PathBuf]) -> FileScope {
    let own = config_folder().into_iter().chain([data.to_owned()]);
    FileScope::new().with_roots(writable(config)).with_read_only(own.chain(fixed.iter().cloned()))
}

/// The built-in tools of a set. Background commands are in `jobs`.
pub(crate) fn registry(
    set: ToolSet,
    config: &Config,
    workspace: &Path,
    fixed: &[PathBuf],
    scope: FileScope,
    jobs: &Jobs,
) -> Result<ToolRegistry> {
    let runner = runner(config, workspace, fixed);
    let tools = BuiltinTools::new().scope(scope).runner(runner).jobs(jobs.clone()).watching_commands();
    let mut registry = ToolRegistry::new();
    for tool in tools.tools() {
        let name = tool.definition().name;
        let wanted = match set {
            ToolSet::All => true,
            ToolSet::Read => READING.contains(&name.as_str()),
            ToolSet::None => false,
        };
        if wanted {
            registry.register(tool)?;
        }
    }
    #[cfg(feature = "fetch")]
    if set == ToolSet::All {
        let mut policy = FetchPolicy::new();
        for item in config.resolved.list(keys::FETCH_ALLOW) {
            policy = policy.allowing(&item.text).map_err(|error| Error::Other(error.into()))?;
        }
        registry.register(Arc::new(FetchTool::new(policy)))?;
        if let Some(server) = config.resolved.get(keys::SEARCH_URL) {
            let tool =
                SearchTool::new(&server).map_err(|error| Error::Usage(format!("search.url: {error}")))?;
            registry.register(Arc::new(tool))?;
        }
    }
    Ok(registry)
}
