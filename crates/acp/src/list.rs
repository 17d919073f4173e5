//! The list of stored sessions.

use std::path::PathBuf;

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{ListSessionsRequest, ListSessionsResponse, SessionInfo};
use throughline_config::workspace;
use throughline_continuity::SessionSummary;
use throughline_stored::Storage;

use crate::failure::{input, of_library};

/// Sessions of a page.
const PAGE: usize = 50;

/// A page of the sessions of a folder, or of all folders, the one with the newest activity first. Sessions without a message
/// are left out.
pub(crate) async fn list(
    storage: &Storage,
    request: &ListSessionsRequest,
) -> Result<ListSessionsResponse, Error> {
    let from = match &request.cursor {
        None => 0,
        Some(cursor) => cursor.parse::<usize>().map_err(|_| {
            input("`cursor` is not one of this agent; send the `nextCursor` of an earlier page")
        })?,
    };
    if request.cwd.as_ref().is_some_and(|cwd| !cwd.is_absolute()) {
        return Err(input("`cwd` must be an absolute path"));
    }
    let all = storage.sessions().await.map_err(|error| of_library(&error))?;
    // As a session's own folder is stored: with all links followed.
    let folder = request.cwd.as_ref().map(|cwd| workspace(Some(cwd)).unwrap_or_else(|_| cwd.clone()));
    let wanted = |session: &&SessionSummary| {
        let here = folder.as_ref().is_none_or(|folder| folder.as_os_str() == session.info.workspace.as_str());
        here && session.exchanges > 0 && session.parent.is_none()
    };
    let mut rest = all.iter().filter(wanted).skip(from);
    let page: Vec<SessionInfo> = rest.by_ref().take(PAGE).map(shown).collect();
    let next = rest.next().map(|_| from.saturating_add(PAGE).to_string());
    Ok(ListSessionsResponse::new(page).next_cursor(next))
}

fn shown(session: &SessionSummary) -> SessionInfo {
    let info = &session.info;
    SessionInfo::new(info.id.to_string(), PathBuf::from(&info.workspace))
        .title(Some(info.title.clone()).filter(|title| !title.is_empty()))
        .updated_at(session.last_activity.rfc3339())
}
