//! Background commands: `/jobs`, and what is said of those that have ended.

use anyhow::bail;
use throughline_commands::slash::JobsCommand;
use throughline_terminal::table;
use throughline_text::{headline, plain};
use throughline_tools::{JobInfo, Jobs};
use throughline_tui::elapsed;
use tokio::sync::mpsc::UnboundedReceiver;

use super::screen::Screen;

/// Characters of a command in a row.
const MAX_COMMAND: usize = 80;

/// Lists the jobs, shows what one has written, or ends one.
pub(super) async fn jobs_answer(
    jobs: &Jobs,
    number: Option<u64>,
    what: Option<&JobsCommand>,
) -> anyhow::Result<String> {
    if let Some(JobsCommand::Stop { number }) = what {
        if !jobs.stop(*number).await {
            bail!("no job {number} runs; /jobs lists them");
        }
        return Ok(format!("Ended job {number}."));
    }
    let Some(number) = number else { return Ok(list(&jobs.list())) };
    let Some((job, written)) = jobs.recent_output(number) else {
        bail!("there is no job {number}; /jobs lists them")
    };
    let written = if written.trim().is_empty() { "It has written nothing." } else { written.trim_end() };
    Ok(plain(&format!("{}\n$ {}\n\n{written}", state(&job), job.command)))
}

fn list(jobs: &[JobInfo]) -> String {
    if jobs.is_empty() {
        return "No command runs in the background. Ctrl+B, with an empty input, moves the running one there.".to_owned();
    }
    let mut rows = vec![["JOB", "STATE", "TIME", "COMMAND"].map(str::to_owned).to_vec()];
    rows.extend(jobs.iter().map(|job| {
        let state = job.ending.clone().unwrap_or_else(|| "runs".to_owned());
        vec![job.number.to_string(), state, elapsed(job.age), headline(&job.command, MAX_COMMAND)]
    }));
    let mut lines = table(&rows);
    lines.push(
        "/jobs N shows the end of its output, /jobs stop N ends it. Jobs end with the session.".to_owned(),
    );
    plain(&lines.join("\n"))
}

fn state(job: &JobInfo) -> String {
    match &job.ending {
        Some(ending) => format!("Job {} has ended after {}: {ending}", job.number, elapsed(job.age)),
        None => format!("Job {} has run for {}", job.number, elapsed(job.age)),
    }
}

/// Says to the user which jobs end, until the session is closed.
pub(super) async fn announce_ends(mut ends: UnboundedReceiver<JobInfo>, screen: Screen) {
    while let Some(job) = ends.recv().await {
        screen.notice(format!("{} · {}", state(&job), headline(&job.command, MAX_COMMAND)));
    }
}
