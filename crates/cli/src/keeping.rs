//! What a real session keeps when messages go: STATE and scratchpad, memory, its history as a table, checkpoints.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{AgentBuilder, Checkpoints, Memory};
use throughline_continuity::CheckpointPolicy;
use throughline_documents::{DocumentCaps, SCRATCHPAD_RULES, StateRule, history_guidelines};
use throughline_git::GitCli;
use throughline_memory::{MemoryFiles, memo_rules, memory_sections};
use throughline_prompt::{FixedSections, PromptSection, SectionError, SectionSource};
use throughline_query::SqliteHistory;
use throughline_store::DiskMemoryFiles;

use crate::compose::Data;
use crate::connect::config_folder;

/// How a session keeps what it keeps.
#[derive(Debug, Clone)]
pub(crate) struct Keeping<'a> {
    pub(crate) workspace: &'a Path,
    pub(crate) title: &'a str,
    pub(crate) state: StateRule,
    pub(crate) checkpoints: CheckpointPolicy,
    /// Whether checkpoints carry a handoff.
    pub(crate) handoff: bool,
}

/// Gives an agent everything that outlives its messages.
pub(crate) fn keep(builder: AgentBuilder, data: &Data, how: &Keeping<'_>) -> AgentBuilder {
    let files = DiskMemoryFiles::new(how.workspace, config_folder());
    let scope = files.scope();
    let files: Arc<dyn MemoryFiles> = Arc::new(files);
    let memory = Memory {
        notes: Arc::new(data.store.notes()),
        search: Arc::new(data.store.memory_search()),
        files: Arc::clone(&files),
        index: Arc::new(data.store.file_index()),
        scope,
    };
    let rules = [
        PromptSection::base("history", history_guidelines(how.state)),
        PromptSection::base("scratchpad rules", SCRATCHPAD_RULES),
        PromptSection::base("memo rules", memo_rules()),
    ];
    builder
        .documents(DocumentCaps::default())
        .history(Arc::new(SqliteHistory::default()))
        .memory(memory)
        .checkpoints(Checkpoints {
            policy: how.checkpoints,
            title: how.title.to_owned(),
            git: Some(Arc::new(GitCli::new(how.workspace))),
            handoff: how.handoff,
        })
        .section(Arc::new(FixedSections::new("continuity", rules)))
        .section(Arc::new(MemorySections(files)))
}

/// Memory files as sections of the system prompt.
#[derive(Debug)]
struct MemorySections(Arc<dyn MemoryFiles>);

#[async_trait]
impl SectionSource for MemorySections {
    fn name(&self) -> String {
        "memory files".to_owned()
    }

    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError> {
        let sections = memory_sections(self.0.as_ref())
            .await
            .map_err(|error| SectionError::Unavailable { message: throughline_text::error_chain(&error) })?;
        Ok(sections.into_iter().map(|section| PromptSection::memory(section.name, section.text)).collect())
    }
}
