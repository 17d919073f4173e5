//! `query_db`, `read_result`, `handoff` and `session_context`: reading what a session has.

use serde_json::Value;
use throughline_continuity::SessionSummary;
use throughline_history::{
    GroupMarks, HistoryDatabase, PageSize, QueryAnswer, QueryError, SessionHistory, sql_from_input,
};
use throughline_resultstore::{ReadError, ReadRequest, ShownResult};
use throughline_stored::SessionHandle;
use throughline_text::{cut_end, headline};
use throughline_tools::{picture_note, stored_picture};

use crate::answer::Answer;
use crate::arguments;
use crate::error::CallError;
use crate::sessions::Sessions;

/// Bytes of a page of a handoff.
const PAGE: usize = 16 * 1024;

/// Sessions of one list.
const LISTED: usize = 10;

/// What `session_context` says about the rest.
const HOW_TO_SEARCH: &str =
    "The whole history is one call away: search_history finds it by words, query_db reads it.";

/// Runs a query over one session.
pub(crate) async fn query(
    handle: &SessionHandle,
    history: &dyn HistoryDatabase,
    sql: &str,
) -> Result<QueryAnswer, CallError> {
    let view = handle.storage.view(&handle.session, handle.counter.as_ref(), |_| {}).await?;
    let (log, marks) = (handle.storage.log(), GroupMarks::from(view.groups()));
    let session = SessionHistory { log: log.as_ref(), session: &handle.session, marks: &marks };
    history.query(&session, sql).await.map_err(|error| match error {
        QueryError::Other(_) => CallError::failed(error),
        refused => CallError::input(throughline_text::error_chain(&refused)),
    })
}

/// `query_db`.
pub(crate) async fn query_db(
    sessions: &Sessions,
    history: &dyn HistoryDatabase,
    input: &Value,
) -> Result<String, CallError> {
    let sql = sql_from_input(input).map_err(CallError::failed)?;
    let session = sessions.choose(arguments::session(input)?)?;
    let answer = query(&sessions.handle(session), history, sql).await?;
    Ok(answer.page(PageSize::default()).text)
}

/// `read_result`: without a session, from the visible one that has it. A stored picture is shown as one.
pub(crate) async fn read_result(sessions: &Sessions, input: &Value) -> Result<Answer, CallError> {
    let request = ReadRequest::from_input(input).map_err(CallError::failed)?;
    let chosen: Vec<&SessionSummary> = match arguments::session(input)? {
        Some(name) => vec![sessions.named(name)?],
        None => sessions.all().iter().collect(),
    };
    for session in chosen {
        match sessions.handle(session).result_store().read_shown(&request, stored_picture).await {
            Ok(ShownResult::Picture(picture)) => {
                return Ok(Answer { text: picture_note(&request.ref_id, &picture), picture: Some(picture) });
            }
            Ok(ShownResult::Page(page)) => return Ok(Answer::of_text(page.text)),
            Err(ReadError::NotFound(_)) => {}
            Err(error) => return Err(CallError::failed(error)),
        }
    }
    let id = request.ref_id.as_str();
    Err(CallError::input(format!(
        "no session of this workspace has a result under ref_id {:?}; take the ref_id, letter by letter, from the text \
         in the result's place",
        cut_end(id, 80)
    )))
}

/// `handoff`.
pub(crate) async fn handoff(sessions: &Sessions, input: &Value) -> Result<String, CallError> {
    let session = sessions.choose(arguments::session(input)?)?;
    let handoff = sessions.handle(session).handoff().await?;
    let text = format!("Handoff of session {}\n\n{}", session.info.id, handoff.lines().join("\n"));
    page(&text, arguments::count(input, "offset", 0)?)
}

/// `session_context`, with the plan of the client.
pub(crate) async fn session_context(
    sessions: &Sessions,
    plan: &str,
    input: &Value,
) -> Result<String, CallError> {
    let (name, offset) = (arguments::session(input)?, arguments::count(input, "offset", 0)?);
    let mut parts = Vec::new();
    if name.is_some() || sessions.spoken().next().is_some() {
        let session = sessions.choose(name)?;
        parts.push(context(&sessions.handle(session), session).await?);
    }
    if !plan.is_empty() {
        parts.push(format!("Your scratchpad:\n{plan}"));
    }
    parts.push(list(sessions, offset));
    Ok(parts.join("\n\n"))
}

/// What an agent must know to continue a session.
pub(crate) async fn context(handle: &SessionHandle, session: &SessionSummary) -> Result<String, CallError> {
    let context = handle.restored_context().await?;
    Ok(format!(
        "Session {} of {}, last active {}:{}",
        session.info.id,
        session.info.workspace,
        session.last_activity.rfc3339(),
        context.text(HOW_TO_SEARCH).trim_end()
    ))
}

/// A page of the visible sessions.
fn list(sessions: &Sessions, offset: usize) -> String {
    let all = sessions.spoken().count();
    if all == 0 {
        return "There is no session with a message in this workspace yet.".to_owned();
    }
    let rows: Vec<String> = sessions.spoken().skip(offset).take(LISTED).map(line).collect();
    let shown = offset.saturating_add(rows.len());
    let more =
        if shown < all { format!("\n[{} more; next offset={shown}]", all - shown) } else { String::new() };
    format!("Sessions of this workspace, newest first ({all}):\n{}{more}", rows.join("\n"))
}

fn line(session: &SessionSummary) -> String {
    let title = headline(&session.info.title, 80);
    format!("- {} ({}, {} turns) {title}", session.info.id, session.last_activity.day(), session.exchanges)
}

/// A page of a text, from a byte on.
fn page(text: &str, offset: usize) -> Result<String, CallError> {
    if offset > text.len() {
        return Err(CallError::input(format!(
            "offset {offset} is behind the end: the text has {} bytes",
            text.len()
        )));
    }
    let start = (offset..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let rest = text.get(start..).unwrap_or_default();
    let shown = cut_end(rest, PAGE);
    if shown.len() == rest.len() {
        return Ok(shown.to_owned());
    }
    Ok(format!("{shown}\n[bytes {start}–{0} of {1}; next offset={0}]", start + shown.len(), text.len()))
}

#[cfg(test)]
mod tests;
