//! `throughline handoff`: notes for continuing a session elsewhere.

use clap::Args;

use crate::answer::Answer;
use crate::target::CommandTarget;
use crate::terminal::plain;

#[derive(Debug, Args)]
pub(crate) struct HandoffArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The current handoff.
pub(crate) async fn handoff(target: &CommandTarget) -> anyhow::Result<Answer> {
    let handoff = target.handle.handoff().await?;
    let text = format!(
        "Handoff of session {}, {}\n\n{}",
        target.handle.session,
        handoff.generated_at,
        handoff.lines().join("\n")
    );
    Ok(Answer { text: plain(&text), json: serde_json::to_value(handoff)? })
}
