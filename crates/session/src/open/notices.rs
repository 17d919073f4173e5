//! What the user should know about how a session was opened.

use throughline_agent::Agent;
use throughline_config::SessionSettings;
use throughline_continuity::SessionInfo;
use throughline_conversation::SessionId;
use throughline_stored::{Result, SessionStart, recorded_policy};

use crate::agents::lost::add_lost;
use crate::agents::work::SessionWork;
use crate::instructions::Instructions;
use crate::options::SessionOptions;
use crate::permissions::Attendance;

use super::moved::move_session;

/// What the user should know of the session's start: files that instruct it and cannot be used, that it works in another folder than
/// before, that it is a copy, and what has become of its sub-agents and commands in the background.
pub(super) async fn start_notices(
    options: &SessionOptions,
    info: &mut SessionInfo,
    instructions: &Instructions,
    agent: &Agent,
    work: &SessionWork,
) -> Result<Vec<String>> {
    // The session that a sub-agent works for has said it.
    let mut notices = match &options.agent {
        Some(_) => Vec::new(),
        None => instructions.notices().await?,
    };
    notices.extend(move_session(options, info, agent, work).await?);
    notices.extend(match &options.start {
        SessionStart::Existing(_) => add_lost(&options.storage, &info.id, &info.id, &work.agents).await?,
        SessionStart::Fork(old) => {
            let lost = add_lost(&options.storage, &info.id, old, &work.agents).await?;
            fork_notice(&options.start, info).into_iter().chain(lost).collect()
        }
        SessionStart::New => Vec::new(),
    });
    notices.extend(lost_notices(options, agent, work));
    Ok(notices)
}

/// What has become of the commands in the background that the messages speak of.
fn lost_notices(options: &SessionOptions, agent: &Agent, work: &SessionWork) -> Vec<String> {
    let how = match options.start {
        SessionStart::New => return Vec::new(),
        SessionStart::Existing(_) => "ended with the earlier run of this session",
        SessionStart::Fork(_) => "belongs to the session that this one is a copy of",
    };
    work.add_lost(agent.view().entries(), how)
}

/// Says that the session is a copy.
fn fork_notice(start: &SessionStart, info: &SessionInfo) -> Option<String> {
    let SessionStart::Fork(old) = start else { return None };
    Some(format!(
        "this is {}, a copy of {old}, which stays unchanged; its title is {:?}",
        info.id, info.title
    ))
}

/// What the user should know of the agent that was opened.
pub(super) fn agent_notices(agent: &Agent, attendance: Attendance) -> impl Iterator<Item = String> {
    // Without a user the receipt of the next request has the figures.
    let price = agent.continuing_price().filter(|_| attendance.is_attended());
    [lost_notice(agent), instructions_notice(agent), price].into_iter().flatten()
}

/// Says that the policy is another than the one that the session was recorded with.
pub(super) async fn policy_notice(
    options: &SessionOptions,
    settings: &SessionSettings,
    session: &SessionId,
) -> Result<Option<String>> {
    if options.start == SessionStart::New {
        return Ok(None);
    }
    let policy = settings.policy().name();
    let before = recorded_policy(&options.storage, session).await?.map(|record| record.name);
    let before = before.filter(|before| before != policy);
    Ok(before.map(|before| format!("the policy of this session was {before}; from now on it is {policy}")))
}

/// What the session is opened without.
fn lost_notice(agent: &Agent) -> Option<String> {
    let (first, more) = (agent.unreadable().first()?, agent.unreadable().len() - 1);
    let more = if more > 0 { format!(" (and {more} more places)") } else { String::new() };
    let session = agent.session();
    Some(format!(
        "{first}{more}; the session continues without; `throughline recover {session}` saves what can be read"
    ))
}

/// Standing instructions for summaries that nothing follows.
fn instructions_notice(agent: &Agent) -> Option<String> {
    agent.ignores_instructions().then(|| {
        let policy = "the policy of this session asks no model for summaries";
        format!("compaction.instructions has no effect: {policy}")
    })
}
