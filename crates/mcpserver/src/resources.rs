//! Sessions, handoffs and memos as resources.

use rmcp::model::{
    CacheScope, ErrorData, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use serde_json::Value;
use throughline_memory::{Memo, MemoFilter, MemoId, NoteRepository as _};
use throughline_stored::{Memos, Storage};
use throughline_text::{cut_end, error_chain, headline};

use crate::error::CallError;
use crate::reading;
use crate::sessions::Sessions;
use crate::workspace::Workspace;

/// What all addresses begin with.
const SCHEME: &str = "throughline://";

/// Resources of one page.
const PAGE: usize = 100;

/// Characters of a title.
const TITLE: usize = 80;

/// The forms of addresses.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |kind: &str, what: &str| {
        ResourceTemplate::new(format!("{SCHEME}{kind}/{{id}}"), kind).with_description(what)
    };
    vec![
        template("session", "What an agent must know to continue a session"),
        template("handoff", "The handoff of a session as JSON"),
        template("memo", "A note that outlives sessions"),
    ]
}

/// A page of the resources: two for each session, newest first, then the memos. The cursor is the number of the first.
pub(crate) async fn list(
    storage: &Storage,
    workspace: &Workspace,
    cursor: Option<&str>,
) -> Result<ListResourcesResult, ErrorData> {
    let from: usize = match cursor {
        None => 0,
        Some(cursor) => cursor
            .parse()
            .map_err(|_| ErrorData::invalid_params("the cursor is not one that resources/list gave", None))?,
    };
    let sessions = Sessions::of(storage, workspace).await.map_err(|error| internal(&error))?;
    let memos = Memos { storage: storage.clone(), scope: workspace.visible_memos() };
    let memos = memos.list(&[]).await.map_err(|error| internal(&error.into()))?;
    let of_sessions = sessions.spoken().flat_map(|session| {
        let (id, title) = (&session.info.id, headline(&session.info.title, TITLE));
        let session =
            Resource::new(format!("{SCHEME}session/{id}"), format!("session {id}")).with_title(title.clone());
        let handoff =
            Resource::new(format!("{SCHEME}handoff/{id}"), format!("handoff {id}")).with_title(title);
        [session.with_mime_type("text/plain"), handoff.with_mime_type("application/json")]
    });
    let of_memos = memos.iter().map(|memo| {
        let name = format!("memo {}", memo.id);
        let title = headline(&memo.content, TITLE);
        Resource::new(format!("{SCHEME}memo/{}", memo.id), name)
            .with_title(title)
            .with_mime_type("text/plain")
    });
    let mut page: Vec<Resource> = of_sessions.chain(of_memos).skip(from).take(PAGE + 1).collect();
    let more = page.len() > PAGE;
    page.truncate(PAGE);
    // The next turn changes them.
    let mut result =
        ListResourcesResult::with_all_items(page).with_ttl_ms(0).with_cache_scope(CacheScope::Private);
    result.next_cursor = more.then(|| from.saturating_add(PAGE).to_string());
    Ok(result)
}

/// The text of a resource.
pub(crate) async fn read(
    storage: &Storage,
    workspace: &Workspace,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || {
        let shown = cut_end(uri, 120);
        ErrorData::resource_not_found(
            format!("there is no resource {shown:?}; resources/list names them"),
            None,
        )
    };
    let (kind, id) = uri.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/')).ok_or_else(unknown)?;
    let contents = match kind {
        "session" | "handoff" => {
            let sessions = Sessions::of(storage, workspace).await.map_err(|error| internal(&error))?;
            let session = sessions.exact(id).ok_or_else(unknown)?;
            let handle = sessions.handle(session);
            if kind == "session" {
                let text = reading::context(&handle, session).await.map_err(|error| internal(&error))?;
                ResourceContents::text(text, uri)
            } else {
                let handoff = handle.handoff().await.map_err(|error| internal(&error.into()))?;
                let json = serde_json::to_string_pretty(&handoff);
                let json = json.map_err(|error| internal(&CallError::failed(error)))?;
                ResourceContents::text(json, uri).with_mime_type("application/json")
            }
        }
        "memo" => {
            ResourceContents::text(memo(storage, workspace, id).await?.ok_or_else(unknown)?.content, uri)
        }
        _ => return Err(unknown()),
    };
    Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(0).with_cache_scope(CacheScope::Private))
}

async fn memo(storage: &Storage, workspace: &Workspace, id: &str) -> Result<Option<Memo>, ErrorData> {
    let filter = MemoFilter { id: Some(MemoId::from_text(id)), ..MemoFilter::of(workspace.visible_memos()) };
    let found =
        storage.store.notes().list(&filter).await.map_err(|error| internal(&CallError::failed(error)))?;
    Ok(found.into_iter().find(|memo| memo.id.as_str() == id))
}

fn internal(error: &CallError) -> ErrorData {
    ErrorData::internal_error(error_chain(error), None::<Value>)
}
