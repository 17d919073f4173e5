//! `save_memo` and `retrieve_memos`.

use serde_json::Value;
use throughline_memory::MemoOrigin;
use throughline_stored::{Storage, now};

use crate::error::CallError;
use crate::workspace::Workspace;

/// `save_memo`. The memo is about the client's project.
pub(crate) async fn save(
    storage: &Storage,
    workspace: &Workspace,
    input: &Value,
) -> Result<String, CallError> {
    let origin = MemoOrigin { workspace: workspace.memo_folder(), ..MemoOrigin::default() };
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
    throughline_memory::retrieve_memos(&notes, &search, input, &workspace.visible_memos())
        .await
        .map_err(CallError::failed)
}
