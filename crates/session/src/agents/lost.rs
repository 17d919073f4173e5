//! Sub-agents in the background that ended with an earlier process of the session.

use throughline_conversation::{ContentBlock, Message, Record, RecordBody, Role, SessionId};
use throughline_stored::{Result, Storage};

use super::background::BackgroundAgents;
use super::background_agent::{AgentEnd, AgentReport, BackgroundAgent, begun_mark, ended_mark};
use super::events::used_by;
use crate::ending::answer_text;

/// Adds those of `parent` whose end the model does not know: it learns it with its next request. `parent` is the session itself, or the
/// one that it is a copy of. Returns sentences for the user.
pub(crate) async fn add_lost(
    storage: &Storage,
    session: &SessionId,
    parent: &SessionId,
    agents: &BackgroundAgents,
) -> Result<Vec<String>> {
    let links = storage.agents_of(parent).await?;
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let records = storage.records(session).await?;
    let mut notices = Vec::new();
    for link in links.iter().filter(|link| is_unknown(&records, &link.session)) {
        let theirs = storage.records(&link.session).await?;
        let title = storage.session_info(&link.session).await?.map(|info| info.title).unwrap_or_default();
        let (text, end) = match answer(&theirs) {
            Some(text) => (text, AgentEnd::Done),
            None if session != parent => ("What it has done so far stays.".to_owned(), AgentEnd::NotOwn),
            None => {
                let text = "What it had done so far stays. The same call of agent, without background or with it, continues it.";
                (text.to_owned(), AgentEnd::Lost)
            }
        };
        let agent = BackgroundAgent::new(&link.kind, &title, &link.call, None);
        let used = used_by(&theirs).models;
        let (number, _) = agents.add(agent.lost(link.session.clone(), AgentReport { text, end }, used));
        notices.push(format!(
            "sub-agent {number} ({}: {title}) {}; the model learns it with your next message",
            link.kind,
            end.text()
        ));
    }
    Ok(notices)
}

/// Returns true if the sub-agent began in the background and the log has no end behind that.
fn is_unknown(records: &[Record], agent: &SessionId) -> bool {
    let (begun, ended) = (begun_mark(agent), ended_mark(agent));
    let mut is_open = false;
    for message in records.iter().filter_map(message) {
        for text in texts(message) {
            is_open = (is_open || text.contains(&begun)) && !text.contains(&ended);
        }
    }
    is_open
}

/// The text with which the model ended the last turn of the log; `None`: it had not.
fn answer(records: &[Record]) -> Option<String> {
    Some(answer_text(&final_answer(records)?.text())).filter(|text| !text.trim().is_empty())
}

/// The message with which the model ended the last turn of the log; `None`: it had not.
pub(super) fn final_answer(records: &[Record]) -> Option<&Message> {
    let last = records.iter().rev().find_map(message)?;
    (last.role == Role::Assistant && last.tool_calls().next().is_none()).then_some(last)
}

pub(super) fn message(record: &Record) -> Option<&Message> {
    match &record.body {
        RecordBody::Message(said) => Some(&said.message),
        _ => None,
    }
}

/// What the session's side said: results of calls and notes.
fn texts(message: &Message) -> impl Iterator<Item = &str> {
    let blocks = message.content.iter().filter(|_| message.role == Role::User);
    blocks.filter_map(|block| match block {
        ContentBlock::Text { text } => Some(text.as_str()),
        ContentBlock::ToolResult(result) => Some(result.content.as_str()),
        _ => None,
    })
}
