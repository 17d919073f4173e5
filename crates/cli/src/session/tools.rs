//! The tools of a session, and the sandbox of its commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum as _;
use throughline_fetch::{FetchPolicy, FetchTool};
use throughline_settings::keys;
use throughline_tools::{
    BuiltinTools, CommandRunner, FileScope, Jobs, Launcher, Sandbox, SandboxStatus, ToolRegistry,
};

use super::args::Tools;
use super::project_folders::project_folders;
use crate::config::Config;
use crate::run::args::Provider;

/// Tools that change nothing.
const READING: &[&str] = &["read_file", "grep", "list_files", "update_checklist"];

/// The hidden mode of this program in which it limits itself and becomes a command.
pub(crate) const SANDBOX_MODE: &str = "sandbox-exec";

/// Variables that hold keys. What a command of the model or of a gate prints goes to the model and into the log, so it
/// need not know them.
fn keys() -> Vec<&'static str> {
    Provider::value_variants().iter().filter_map(|provider| provider.key_variable()).collect()
}

/// The sandbox in which commands run, when one is wanted and this system can keep it.
pub(crate) fn sandbox(config: &Config, workspace: &Path) -> Option<Sandbox> {
    let wanted = config.resolved.get(keys::SANDBOX).unwrap_or(true);
    if !wanted || matches!(Sandbox::status(), SandboxStatus::Unavailable(_)) {
        return None;
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let project = project_folders(workspace, home.as_deref());
    let folders = project.into_iter().chain(caches()).chain(writable(config));
    Some(folders.fold(Sandbox::of_workspace(workspace), Sandbox::with))
}

/// The folders beside the workspace that the user lets commands and file tools write, with links followed.
pub(crate) fn writable(config: &Config) -> Vec<PathBuf> {
    let named = config.resolved.list(keys::WRITABLE).into_iter().map(|item| config.folder(&item.text));
    named.map(|folder| folder.canonicalize().unwrap_or(folder)).collect()
}

/// Whether commands run in a sandbox that holds. One that is kept in part does not: files outside can still be emptied.
pub(crate) fn is_sandboxed(config: &Config) -> bool {
    config.resolved.get(keys::SANDBOX).unwrap_or(true) && holds(&Sandbox::status())
}

fn holds(status: &SandboxStatus) -> bool {
    match status {
        SandboxStatus::Enforced => true,
        SandboxStatus::Partly(_) | SandboxStatus::Unavailable(_) => false,
    }
}

/// Folders among the user's caches that are of build tools. Others hold what a shell reads at its start, or programs.
const BUILD_CACHES: [&str; 12] = [
    "ccache", "composer", "deno", "go-build", "node-gyp", "pip", "pnpm", "pypoetry", "sccache", "uv", "yarn",
    "zig",
];

/// Folders in which builds keep what they have fetched and made. Without them most builds fail. Later builds trust what is
/// there, also those that the user starts outside of the sandbox: what a command writes there may run then.
fn caches() -> Vec<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = named("HOME");
    let under = |folder: &str| home.as_ref().map(|home| home.join(folder));
    let cargo = named("CARGO_HOME").or_else(|| under(".cargo"));
    let cargo = cargo.into_iter().flat_map(|cargo| [cargo.join("registry"), cargo.join("git")]);
    let cache = named("XDG_CACHE_HOME").or_else(|| under(".cache"));
    let cache = cache.into_iter().flat_map(|cache| BUILD_CACHES.map(|tool| cache.join(tool)));
    cargo.chain(cache).chain(under(".npm/_cacache")).collect()
}

/// What the user should know of the sandbox.
pub(crate) fn sandbox_note(config: &Config) -> Option<String> {
    let wanted = config.resolved.get(keys::SANDBOX).unwrap_or(true);
    match Sandbox::status() {
        SandboxStatus::Enforced => None,
        SandboxStatus::Partly(what) => Some(format!("the sandbox of commands is not complete: {what}")),
        SandboxStatus::Unavailable(why) => {
            Some(format!("commands run without a sandbox: {why}; `sandbox = false` in [tools] accepts that"))
        }
    }
    .filter(|_| wanted)
}

/// How far file tools go.
pub(crate) fn scope(config: &Config) -> FileScope {
    FileScope::new().with_roots(writable(config))
}

/// Runs commands without a sandbox, and without a terminal on which they could ask for a password.
pub(crate) fn unlimited() -> CommandRunner {
    let runner = CommandRunner::new().hiding(keys());
    match Launcher::this_program(SANDBOX_MODE) {
        Ok(launcher) => runner.launched_by(launcher),
        Err(_) => runner,
    }
}

/// The built-in tools that are wanted.
pub(crate) fn registry(
    which: Tools,
    config: &Config,
    workspace: &Path,
    scope: FileScope,
) -> anyhow::Result<ToolRegistry> {
    let runner = match sandbox(config, workspace) {
        Some(sandbox) => {
            CommandRunner::new().hiding(keys()).sandboxed(sandbox, Launcher::this_program(SANDBOX_MODE)?)
        }
        None => unlimited(),
    };
    let tools = BuiltinTools::new().scope(scope).runner(runner).jobs(Jobs::new());
    let mut registry = ToolRegistry::new();
    for tool in tools.tools() {
        let name = tool.definition().name;
        let wanted = match which {
            Tools::All => true,
            Tools::Read => READING.contains(&name.as_str()),
            Tools::None => false,
        };
        if wanted {
            registry.register(tool)?;
        }
    }
    if which == Tools::All {
        let mut policy = FetchPolicy::new();
        for item in config.resolved.list(keys::FETCH_ALLOW) {
            policy = policy.allowing(&item.text)?;
        }
        registry.register(Arc::new(FetchTool::new(policy)))?;
    }
    Ok(registry)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use throughline_tools::SandboxStatus;

    use super::{caches, holds};

    #[test]
    fn a_sandbox_that_holds_in_part_does_not_hold() {
        assert!(holds(&SandboxStatus::Enforced));
        assert!(!holds(&SandboxStatus::Partly("early".to_owned())));
        assert!(!holds(&SandboxStatus::Unavailable("none".to_owned())));
    }

    #[test]
    fn no_folder_of_all_caches_is_open() {
        let home = std::env::var_os("HOME").unwrap_or_default();
        let home = Path::new(&home);
        let all = caches();
        for folder in
            [home, &home.join(".cache"), &home.join(".cargo"), &home.join(".cargo/bin"), &home.join(".npm")]
        {
            assert!(!all.iter().any(|open| folder.starts_with(open)), "{}", folder.display());
        }
    }
}
