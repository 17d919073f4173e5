//! The warning ahead of an agent's own compaction.

use throughline_conversation::Usage;
use throughline_providers::models::{Known, ModelTable};
use throughline_replay::{RecordedSession, RecordedTurn};

use crate::agent::ForeignAgent;

/// Per cent of the window near which agents compact by themselves, as their own documents say.
const COMPACTS_NEAR: u64 = 95;

/// The variable by which Claude Code compacts as if the window were smaller.
const CLAUDE_WINDOW: &str = "CLAUDE_CODE_AUTO_COMPACT_WINDOW";

/// What the user should know when a turn has filled the window to this many per cent. `None`: it has not, or the turn before had
/// already, or the window of the model that answered last is not known.
pub(crate) fn warning(agent: ForeignAgent, recorded: &RecordedSession, pct: u64) -> Option<String> {
    // The user may have changed the model since the first answer.
    let answered = recorded.steps().filter(|step| step.usage.is_some()).last();
    let model = answered.and_then(|step| step.request.model.as_deref()).or(recorded.model.as_deref())?;
    let row = ModelTable::builtin().find(agent.provider(), model);
    if row.known == Known::Default {
        return None;
    }
    let own: Option<u64> = std::env::var(CLAUDE_WINDOW).ok().and_then(|window| window.parse().ok());
    let own = own.filter(|window| agent == ForeignAgent::Claude && *window > 0);
    let window = own.map_or(row.info.window, |window| window.min(row.info.window));
    let used = |usage: Usage| usage.prompt() + usage.output;
    let last_of = |turn: &RecordedTurn| turn.steps.iter().rev().find_map(|step| step.usage);
    let mut turns = recorded.turns.iter().rev().map(|turn| last_of(turn).map(used));
    let now = turns.next().flatten()?;
    let is_above = |tokens: u64| tokens.saturating_mul(100) >= window.saturating_mul(pct);
    // It is said once, by the turn that passes the mark.
    let before = turns.next().flatten().unwrap_or(0);
    // More than fits says that the window is another one.
    if !is_above(now) || is_above(before) || now > row.info.window {
        return None;
    }
    Some(format!(
        "throughline: the context is {} % full ({now} of {window} tokens), and {agent} compacts by itself near \
         {COMPACTS_NEAR} %. You can continue, and the context comes back after it. Or: {}.",
        now.saturating_mul(100) / window.max(1),
        choices(agent)
    ))
}

/// What else the user of an agent can do.
const fn choices(agent: ForeignAgent) -> &'static str {
    match agent {
        ForeignAgent::Claude => {
            "/compact now, at a point that suits you; /model for one with a larger window (1M); /rewind to an earlier \
             checkpoint; `throughline handoff` for a new session"
        }
        ForeignAgent::Codex => {
            "/compact now, at a point that suits you; /model for one with a larger window; Esc Esc to go back to an earlier \
             message; `throughline handoff` for a new session"
        }
        ForeignAgent::OpenCode => {
            "/compact now, at a point that suits you; /models for one with a larger window; /undo to go back; `throughline \
             handoff` for a new session"
        }
        ForeignAgent::Gemini => {
            "/compress now, at a point that suits you; /rewind to go back to an earlier message; `throughline handoff` for a new \
             session"
        }
    }
}
