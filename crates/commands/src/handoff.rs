//! `throughline handoff`: notes for continuing a session elsewhere.

mod target_agent;

use clap::Args;
use throughline_text::plain;

use crate::answer::Answer;
use crate::session_command::SessionCommand;
use crate::target::CommandTarget;

pub(crate) use target_agent::TargetAgent;

/// The session, and whom its notes are for.
#[derive(Debug, Args)]
pub struct HandoffArgs {
    /// Session id, the start of one, `last`, or a session of another agent: claude:ID, codex:ID, opencode:ID, gemini:ID
    pub session: String,
    /// Write the first prompt for another agent, and print the command that starts it
    #[arg(long = "for", value_enum, value_name = "AGENT")]
    pub agent: Option<TargetAgent>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl HandoffArgs {
    /// The command on the session.
    pub fn command(&self) -> SessionCommand {
        SessionCommand::Handoff { agent: self.agent }
    }
}

/// The current handoff, or what another agent can start from.
pub(crate) async fn handoff(target: &CommandTarget, agent: Option<TargetAgent>) -> anyhow::Result<Answer> {
    if let Some(agent) = agent {
        return target_agent::handoff_for(&target.handle, agent).await;
    }
    let handoff = target.handle.handoff().await?;
    let text = format!(
        "Handoff of session {}, {}\n\n{}",
        target.handle.session,
        handoff.generated_at,
        handoff.lines().join("\n")
    );
    Ok(Answer { text: plain(&text), json: serde_json::to_value(handoff)? })
}
