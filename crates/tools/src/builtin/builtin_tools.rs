//! The set of built-in tools of a session, and the state that they share.

use std::path::PathBuf;
use std::sync::Arc;

use super::edit_file::EditFile;
use super::file_tool::scoped;
use super::grep::Grep;
use super::list_files::ListFiles;
use super::multi_edit::MultiEdit;
use super::read_file::ReadFile;
use super::shell::{CommandRunner, Jobs, ShellOutputTool, ShellStopTool, ShellTool};
use super::update_checklist::UpdateChecklistTool;
use super::watched_shell::WatchedShell;
use super::write_file::WriteFile;
use crate::file_scope::FileScope;
use crate::tool::Tool;

/// Builds the built-in tools of one session: `read_file`, `write_file`, `edit_file`, `multi_edit`, `grep`, `list_files`,
/// `shell`, `shell_output`, `shell_stop` and `update_checklist`.
///
/// The file tools share one record of which files the model has read, the shell tools share one list of background jobs.
/// Background jobs end, and the files of long outputs are removed, when the last clone of the tools is dropped.
#[derive(Debug, Clone, Default)]
pub struct BuiltinTools {
    scope: FileScope,
    runner: CommandRunner,
    jobs: Jobs,
    /// The project in which commands are watched; `None`: they are not.
    watch: Option<PathBuf>,
}

impl BuiltinTools {
    /// The tools of a new session: the workspace alone, commands without a sandbox.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the folders that the file tools may use. The files of long command outputs can be read in addition.
    #[must_use]
    pub fn scope(self, scope: FileScope) -> Self {
        Self { scope, ..self }
    }

    /// Sets how commands run: environment, sandbox, launcher.
    #[must_use]
    pub fn runner(self, runner: CommandRunner) -> Self {
        Self { runner, ..self }
    }

    /// Sets the list of background jobs, which another owner may end.
    #[must_use]
    pub fn jobs(self, jobs: Jobs) -> Self {
        Self { jobs, ..self }
    }

    /// Makes outputs of commands report the files that they changed, as those of file tools do: of this project, or of the workspace if
    /// the project is too large or elsewhere. Not reported are ignored files, links, files over 1 MiB, what background commands
    /// change after their start, and everything in a folder of more than 5,000 files or 32 MiB.
    #[must_use]
    pub fn watching_commands(self, project: impl Into<PathBuf>) -> Self {
        Self { watch: Some(project.into()), ..self }
    }

    /// The tools, in a stable order.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let Self { scope, runner, jobs, watch } = self;
        let scope = scope.clone().with_output_files(runner.output_files().clone());
        let shell = ShellTool::new(runner.clone(), jobs.clone());
        let shell: Arc<dyn Tool> = match watch {
            Some(project) => Arc::new(WatchedShell::new(shell, &scope, project)),
            None => Arc::new(shell),
        };
        vec![
            scoped::<ReadFile>(&scope),
            scoped::<WriteFile>(&scope),
            scoped::<EditFile>(&scope),
            scoped::<MultiEdit>(&scope),
            scoped::<Grep>(&scope),
            scoped::<ListFiles>(&scope),
            shell,
            Arc::new(ShellOutputTool::new(jobs.clone(), runner.clone())),
            Arc::new(ShellStopTool::new(jobs.clone(), runner.clone())),
            Arc::new(UpdateChecklistTool),
        ]
    }
}

/// The built-in tools of a new session with all defaults, in a stable order.
#[must_use]
pub fn builtin_tools() -> Vec<Arc<dyn Tool>> {
    BuiltinTools::new().tools()
}
