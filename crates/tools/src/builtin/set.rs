//! All built-in tools, and what they share.

use std::sync::Arc;

use super::{
    CommandRunner, EditFileTool, GrepTool, Jobs, ListFilesTool, MultiEditTool, ReadFileTool, ShellOutputTool,
    ShellStopTool, ShellTool, UpdateChecklistTool, WriteFileTool,
};
use crate::{FileScope, Tool};

/// The built-in tools of one session: what they may touch, and what they remember of each other.
///
/// Background jobs and the files of long outputs end with the tools.
#[derive(Debug, Clone, Default)]
pub struct BuiltinTools {
    scope: FileScope,
    runner: CommandRunner,
    jobs: Jobs,
}

impl BuiltinTools {
    /// Tools of a new session, without a sandbox.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// File tools work within this scope, and read the files of long outputs.
    #[must_use]
    pub fn scope(self, scope: FileScope) -> Self {
        Self { scope, ..self }
    }

    /// Commands are run so.
    #[must_use]
    pub fn runner(self, runner: CommandRunner) -> Self {
        Self { runner, ..self }
    }

    /// Background jobs are kept there.
    #[must_use]
    pub fn jobs(self, jobs: Jobs) -> Self {
        Self { jobs, ..self }
    }

    /// The tools, in a stable order.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let Self { scope, runner, jobs } = self;
        let scope = scope.clone().reading(runner.spool().clone());
        vec![
            Arc::new(ReadFileTool::new(scope.clone())),
            Arc::new(WriteFileTool::new(scope.clone())),
            Arc::new(EditFileTool::new(scope.clone())),
            Arc::new(MultiEditTool::new(scope.clone())),
            Arc::new(GrepTool::new(scope.clone())),
            Arc::new(ListFilesTool::new(scope.clone())),
            Arc::new(ShellTool::new(runner.clone(), jobs.clone())),
            Arc::new(ShellOutputTool::new(jobs.clone(), runner.clone())),
            Arc::new(ShellStopTool::new(jobs.clone(), runner.clone())),
            Arc::new(UpdateChecklistTool),
        ]
    }
}

/// All built-in tools of a new session, in a stable order.
#[must_use]
pub fn builtin_tools() -> Vec<Arc<dyn Tool>> {
    BuiltinTools::new().tools()
}
