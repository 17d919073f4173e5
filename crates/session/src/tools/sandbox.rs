//! The sandbox of commands: where they may write, and which variables they get.

use std::path::{Path, PathBuf};

use throughline_settings::{Origin, keys};
use throughline_tools::{CommandRunner, Environment, Launcher, Sandbox, SandboxStatus};

use super::checked_sandboxes::CheckedSandboxes;
use super::home_workspace::protected;
use super::project_folders::project_folders;
use throughline_config::Config;
use throughline_config::{StoredKeys, token_files};
use throughline_stored::{Error, Result, now};

/// The first argument with which a program that embeds the library starts itself to become a command in the sandbox: it
/// passes the arguments that follow to [`sandbox_exec`](throughline_tools::sandbox_exec).
pub const SANDBOX_MODE: &str = "sandbox-exec";

/// How many processes commands may add by default: more than a parallel build has, fewer than a machine bears.
const MAX_PROCESSES: u64 = 4_096;

/// The variables that commands get.
fn environment(config: &Config) -> Environment {
    Environment::new().with(config.resolved.list(keys::ENV).into_iter().map(|item| item.text))
}

/// The sandbox in which commands run. `None`: it is switched off, or this system has none.
fn sandbox(config: &Config, workspace: &Path) -> Option<Sandbox> {
    let wanted = config.resolved.get(keys::SANDBOX).unwrap_or(true);
    if !wanted || matches!(Sandbox::status(), SandboxStatus::Unavailable(_)) {
        return None;
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let others: Vec<PathBuf> =
        build_caches().into_iter().chain(writable(config)).chain([workspace.to_owned()]).collect();
    // Before git is asked for the submodules.
    throughline_programs::distrust(others.iter().cloned());
    let project = project_folders(workspace, home.as_deref());
    let set = &config.resolved;
    let mut sandbox = Sandbox::default().project(workspace);
    if !set.get(keys::NETWORK).unwrap_or(true) {
        sandbox = sandbox.no_network();
    }
    if set.get(keys::UNIX_SOCKETS).unwrap_or(false) {
        sandbox = sandbox.unix_sockets();
    }
    if let Some(most) = Some(set.get(keys::MAX_PROCESSES).unwrap_or(MAX_PROCESSES)).filter(|most| *most > 0) {
        sandbox = sandbox.processes(most);
    }
    if let Some(mebibytes) = set.get(keys::MAX_MEMORY).filter(|most| *most > 0) {
        sandbox = sandbox.memory(mebibytes << 20);
    }
    // A linked worktree has its folders of git elsewhere; the first folder is the project.
    let projects = project.writable.first().into_iter().chain(&project.nested);
    let sandbox = projects.fold(sandbox, Sandbox::project);
    let sandbox = project.repositories.iter().fold(sandbox, Sandbox::repository);
    throughline_programs::distrust(project.writable.iter().cloned());
    let sandbox = project.writable.into_iter().chain(others).fold(sandbox, Sandbox::with);
    // The folder hides the files that are made later, and its locks: a command that holds one stops all storing.
    let tokens = config.data_dir.iter().flat_map(|data| token_files(data));
    let keys = StoredKeys::of_user().map(|keys| keys.folder().to_owned());
    let sandbox = tokens.chain(config.data_dir.clone()).chain(keys).fold(sandbox, Sandbox::hiding);
    Some(protected(config).into_iter().fold(sandbox, Sandbox::without))
}

/// The folders outside the workspace that commands and file tools may write, with links followed.
pub(crate) fn writable(config: &Config) -> Vec<PathBuf> {
    let named = config.resolved.list(keys::WRITABLE).into_iter().map(|item| config.folder(&item.text));
    named.map(|folder| folder.canonicalize().unwrap_or(folder)).collect()
}

/// Returns true if commands run in a sandbox that is fully enforced. In a partial one, files outside can still be emptied.
pub(crate) fn is_sandboxed(config: &Config) -> bool {
    let wanted = config.resolved.get(keys::SANDBOX).unwrap_or(true) && config.launcher.is_some();
    wanted && is_enforced(&Sandbox::status())
}

fn is_enforced(status: &SandboxStatus) -> bool {
    match status {
        SandboxStatus::Enforced => true,
        SandboxStatus::Partly(_) | SandboxStatus::Unavailable(_) => false,
    }
}

/// Folders of build tools among the user's caches. Others hold programs, or files that a shell reads at its start.
///
/// Not those of uv and deno: environments and programs that exist already run what is in them. Commands have their own.
const BUILD_CACHES: [&str; 10] =
    ["ccache", "composer", "go-build", "node-gyp", "pip", "pnpm", "pypoetry", "sccache", "yarn", "zig"];

/// Folders in which build tools cache downloads and artifacts. Without them most builds fail. Later builds trust their
/// contents, also those that the user starts outside the sandbox: a file that a command writes there may run then.
fn build_caches() -> Vec<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = named("HOME");
    let under = |folder: &str| home.as_ref().map(|home| home.join(folder));
    let cargo = named("CARGO_HOME").or_else(|| under(".cargo"));
    let cargo = cargo.into_iter().flat_map(|cargo| [cargo.join("registry"), cargo.join("git")]);
    let cache = named("XDG_CACHE_HOME").or_else(|| under(".cache"));
    let cache = cache.into_iter().flat_map(|cache| BUILD_CACHES.map(|tool| cache.join(tool)));
    cargo.chain(cache).chain(under(".npm/_cacache")).collect()
}

/// A notice for the user if the sandbox is incomplete or missing.
fn sandbox_note(config: &Config) -> Option<String> {
    let wanted = config.resolved.get(keys::SANDBOX).unwrap_or(true);
    if config.launcher.is_none() {
        return wanted
            .then(|| "commands run without a sandbox: this program has no launcher for one".to_owned());
    }
    match Sandbox::status() {
        SandboxStatus::Enforced => Sandbox::gap().map(str::to_owned),
        SandboxStatus::Partly(what) => Some(format!("the sandbox of commands is not complete: {what}")),
        SandboxStatus::Unavailable(why) => {
            Some(format!("commands run without a sandbox: {why}; `sandbox = false` in [tools] accepts that"))
        }
    }
    .filter(|_| wanted)
}

/// What the user should know of the sandbox of commands: that it is missing, or what it lets through. Empty: it is complete, or
/// switched off. `data`: the data folder, in which a complete one is remembered; `None`: it does not exist.
pub async fn sandbox_notes(config: &Config, workspace: &Path, data: Option<&Path>) -> Vec<String> {
    let mut notes: Vec<String> = sandbox_note(config).into_iter().collect();
    notes.extend(loss_notes(config, workspace, data).await);
    notes
}

/// Notices for the user about what this system lets the sandbox not do. `data` is the data folder, in which it is remembered
/// that there is nothing to say.
async fn loss_notes(config: &Config, workspace: &Path, data: Option<&Path>) -> Vec<String> {
    let (Some(launcher), Some(sandbox)) = (&config.launcher, sandbox(config, workspace)) else {
        return Vec::new();
    };
    let (checked, now) = (data.map(CheckedSandboxes::in_folder), now());
    let remembered = checked.as_ref().zip(sandbox.conditions(launcher));
    if remembered.as_ref().is_some_and(|(checked, conditions)| checked.has(conditions, now)) {
        return Vec::new();
    }
    let losses = sandbox.losses(launcher).await;
    if let (Some([]), Some((checked, conditions))) = (losses.as_deref(), remembered) {
        checked.add(&conditions, now);
    }
    losses.into_iter().flatten().map(str::to_owned).collect()
}

/// This program as the launcher of sandboxed commands: its `main` must pass the arguments after [`SANDBOX_MODE`] to
/// [`sandbox_exec`](throughline_tools::sandbox_exec) before it does anything else. `None`: the system does not say where the
/// program is.
#[must_use]
pub fn this_program() -> Option<Launcher> {
    Launcher::this_program(SANDBOX_MODE).ok()
}

/// Runs the quality gates of a task. Without a sandbox they would let the model run what it writes, outside of all limits: only
/// the user's own settings allow that.
///
/// # Errors
/// They would need a sandbox, and this system has none.
pub(crate) fn gate_runner(config: &Config, workspace: &Path, fixed: &[PathBuf]) -> Result<CommandRunner> {
    let set = &config.resolved;
    if !set.get(keys::SANDBOXED_GATES).unwrap_or(true) {
        return Ok(free_runner(config));
    }
    let sandbox = sandbox(config, workspace);
    if set.get(keys::SANDBOX).unwrap_or(true) && (config.launcher.is_none() || sandbox.is_none()) {
        return Err(Error::usage(
            "the task has quality gates, and this system has no sandbox to run them in: they would run what the model has \
             written, with all your rights; `sandboxed_gates = false` in [tools] of your settings accepts that",
        ));
    }
    Ok(runner_in(config, sandbox, fixed))
}

/// Runs commands in the sandbox, or without one if it is switched off or not available. These files stay unchanged. Searches the
/// project's folders.
pub(crate) fn runner(config: &Config, workspace: &Path, fixed: &[PathBuf]) -> CommandRunner {
    runner_in(config, sandbox(config, workspace), fixed)
}

fn runner_in(config: &Config, sandbox: Option<Sandbox>, fixed: &[PathBuf]) -> CommandRunner {
    let runner = CommandRunner::new().environment(environment(config));
    match (&config.launcher, sandbox) {
        (Some(launcher), Some(sandbox)) => {
            runner.sandboxed(fixed.iter().fold(sandbox, Sandbox::fixing), launcher.clone())
        }
        (launcher, _) => launched(runner, launcher.clone()),
    }
}

/// Runs commands without a sandbox.
pub(crate) fn free_runner(config: &Config) -> CommandRunner {
    launched(CommandRunner::new().environment(environment(config)), config.launcher.clone())
}

/// Runs a command that the settings name: in the sandbox if a project's file names it, with the user's rights if the user does.
#[must_use]
pub fn command_of_settings(config: &Config, workspace: &Path, origin: &Origin) -> CommandRunner {
    if origin.is_project() { runner(config, workspace, &[]) } else { free_runner(config) }
}

fn launched(runner: CommandRunner, launcher: Option<Launcher>) -> CommandRunner {
    match launcher {
        Some(launcher) => runner.launched_by(launcher),
        None => runner,
    }
}

#[cfg(test)]
mod tests;
