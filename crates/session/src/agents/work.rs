//! What a session has in the background, as its agent asks for it.

use async_trait::async_trait;
use throughline_agent::{BackgroundWork, EndedWork};
use throughline_tools::{JobInfo, Jobs};

use super::background::BackgroundAgents;

/// Commands and sub-agents in the background.
#[derive(Debug)]
pub(crate) struct SessionWork {
    pub(crate) jobs: Jobs,
    pub(crate) agents: BackgroundAgents,
    /// Sub-agents do not outlive a turn: there is no person who continues the session.
    pub(crate) ends_with_turn: bool,
}

#[async_trait]
impl BackgroundWork for SessionWork {
    async fn take_ended(&self) -> Vec<EndedWork> {
        let jobs = self.jobs.take_unknown_ends();
        jobs.iter().map(ended_job).chain(self.agents.take_unknown_ends()).collect()
    }

    async fn settle(&self) -> bool {
        self.ends_with_turn && self.agents.settle().await
    }
}

fn ended_job(job: &JobInfo) -> EndedWork {
    let ending = job.ending.as_deref().unwrap_or("unknown");
    let text = format!(
        "Background job {} has ended ({ending}): {}\nshell_output shows the rest of its output.",
        job.number, job.command
    );
    EndedWork { tool: "shell", text, used: Vec::new() }
}
