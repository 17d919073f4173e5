//! The built-in tools of a session.

mod checked_sandboxes;
mod home_workspace;
mod nested_repositories;
mod program_note;
mod project_folders;
mod sandbox;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throughline_conversation::WEB_SEARCH;
#[cfg(feature = "fetch")]
use throughline_fetch::{FetchPolicy, FetchTool, SearchTool};
use throughline_permission::{Permissions, PlacedRule, RuleKind};
use throughline_settings::keys;
use throughline_tools::{BuiltinTools, CommandRunner, FileScope, Jobs, ProviderSearch, Tool, ToolRegistry};

use throughline_config::Config;
use throughline_config::config_folder;
#[cfg(feature = "fetch")]
use throughline_stored::Error;
use throughline_stored::Result;

use project_folders::project_root;

pub use home_workspace::check_unattended;
pub(crate) use home_workspace::{home_note, is_home};
pub(crate) use program_note::program_note;
pub use sandbox::{SANDBOX_MODE, command_of_settings, sandbox_notes, this_program};
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

/// The built-in tools of a set, whose commands run in `runner`, and in `jobs` in the background. `provider_search`: the model's provider may search the web.
pub(crate) fn registry(
    set: ToolSet,
    config: &Config,
    workspace: &Path,
    runner: &CommandRunner,
    scope: FileScope,
    jobs: &Jobs,
    provider_search: bool,
) -> Result<ToolRegistry> {
    let tools = BuiltinTools::new().scope(scope).runner(runner.clone()).jobs(jobs.clone());
    let tools = tools.watching_commands(project_root(workspace));
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
    }
    if set == ToolSet::All {
        let own = own_search(config)?;
        let search: Option<Arc<dyn Tool>> =
            if provider_search { Some(Arc::new(ProviderSearch::or(own))) } else { own };
        search.into_iter().try_for_each(|tool| registry.register(tool))?;
    }
    Ok(registry)
}

/// The search by the server that the settings name.
#[cfg(feature = "fetch")]
fn own_search(config: &Config) -> Result<Option<Arc<dyn Tool>>> {
    let Some(server) = config.resolved.get(keys::SEARCH_URL) else { return Ok(None) };
    let tool = SearchTool::new(&server).map_err(|error| Error::Usage(format!("search.url: {error}")))?;
    Ok(Some(Arc::new(tool)))
}

#[cfg(not(feature = "fetch"))]
fn own_search(_: &Config) -> Result<Option<Arc<dyn Tool>>> {
    Ok(None)
}

/// Returns true if the settings let the model's provider search the web, and no rule is against it: what the provider runs
/// cannot be asked about or refused call by call. A rule that is against it adds a note.
pub(crate) fn may_provider_search(
    config: &Config,
    permissions: &Permissions,
    notices: &mut Vec<String>,
) -> bool {
    if config.resolved.get(keys::SEARCH_PROVIDER) != Some(true) {
        return false;
    }
    let rules = permissions.rules();
    let against = rules.iter().find(|rule| rule.kind != RuleKind::Allow && rule.rule.is_of_tool(WEB_SEARCH));
    if let Some(PlacedRule { kind, rule, place }) = against {
        notices.push(format!(
            "search.provider has no effect: the provider runs its search without asking, and there is the {} rule {} ({place})",
            kind.name(),
            rule.text()
        ));
    }
    against.is_none()
}
