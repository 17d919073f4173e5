//! `save_memo`, `retrieve_memos` and `memory_search`: what outlives the session.

use serde_json::Value;
use throughline_conversation::ToolCall;
use throughline_memory::{MemoryError, memory_search, retrieve_memos, save_memo};
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use super::{MEMORY_SEARCH, RETRIEVE_MEMOS};
use crate::engine::Engine;
use crate::keeping::Memory;

pub(super) async fn call(engine: &Engine, memory: &Memory, call: &ToolCall) -> ToolOutput {
    match answer(engine, memory, &call.name, &call.input).await {
        Ok(text) => ToolOutput::text(text),
        Err(error) => ToolOutput::error(error_chain(&error)),
    }
}

async fn answer(engine: &Engine, memory: &Memory, name: &str, input: &Value) -> Result<String, MemoryError> {
    let Memory { notes, search, files, index, scope } = memory;
    match name {
        MEMORY_SEARCH => memory_search(files.as_ref(), index.as_ref(), search.as_ref(), input, scope).await,
        RETRIEVE_MEMOS => retrieve_memos(notes.as_ref(), search.as_ref(), input, scope).await,
        _ => save_memo(notes.as_ref(), input, engine.memo_origin(scope), engine.parts.clock.now()).await,
    }
}
