//! `save_memo`, `retrieve_memos` and `memory_search`: what outlives the session.

use serde_json::Value;
use throughline_memory::{MemoryError, memory_search, retrieve_memos, save_memo};
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::continuity_ports::{MemoryPorts, memo_origin};
use crate::step_context::StepContext;

pub(super) async fn save(step: &mut StepContext<'_>, input: &Value) -> ToolOutput {
    let Some(MemoryPorts { notes, scope: visible, .. }) = &step.state.continuity.memory else {
        return missing();
    };
    let (origin, now) = (memo_origin(&step.state.session, visible), step.state.session.now());
    output(save_memo(notes.as_ref(), input, origin, now).await)
}

pub(super) async fn retrieve(step: &mut StepContext<'_>, input: &Value) -> ToolOutput {
    let Some(memory) = &step.state.continuity.memory else { return missing() };
    let MemoryPorts { notes, search, scope: visible, .. } = memory;
    output(retrieve_memos(notes.as_ref(), search.as_ref(), input, visible).await)
}

pub(super) async fn search(step: &mut StepContext<'_>, input: &Value) -> ToolOutput {
    let Some(memory) = &step.state.continuity.memory else { return missing() };
    let MemoryPorts { search, files, index, scope: visible, .. } = memory;
    output(memory_search(files.as_ref(), index.as_ref(), search.as_ref(), input, visible).await)
}

fn output(answer: Result<String, MemoryError>) -> ToolOutput {
    match answer {
        Ok(text) => ToolOutput::text(text),
        Err(error) => ToolOutput::error(error_chain(&error)),
    }
}

fn missing() -> ToolOutput {
    ToolOutput::error("memory is not available in this session")
}
