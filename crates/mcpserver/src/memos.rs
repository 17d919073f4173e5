//! `save_memo` and `retrieve_memos`.

use serde_json::Value;
use throughline_memory::{MemoOrigin, Scope};
use throughline_stored::{Storage, now};

use crate::error::CallError;
use crate::workspace::Workspace;

/// The memos that a client may see.
pub(crate) fn scope(workspace: &Workspace) -> Scope {
    if workspace.shows_all() { Scope::All } else { Scope::Workspace(workspace.home.clone()) }
}

/// `save_memo`. The memo is about the client's folder.
pub(crate) async fn save(
    storage: &Storage,
    workspace: &Workspace,
    input: &Value,
) -> Result<String, CallError> {
    let origin = MemoOrigin { workspace: Some(workspace.home.clone()), ..MemoOrigin::default() };
    throughline_memory::save_memo(&storage.store.notes(), input, origin, now())
        .await
        .map_err(CallError::failed)
}

/// `retrieve_memos`.
pub(crate) async fn retrieve(
    storage: &Storage,
    workspace: &Workspace,
    input: &Value,
) -> Result<String, CallError> {
    let (notes, search) = (storage.store.notes(), storage.store.memory_search());
    throughline_memory::retrieve_memos(&notes, &search, input, &scope(workspace))
        .await
        .map_err(CallError::failed)
}
