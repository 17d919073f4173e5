//! What outlives the messages in view: STATE and scratchpad, memory, the history as a table, checkpoints.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{AgentBuilder, Checkpoints, MemoryPorts};
use throughline_continuity::CheckpointPolicy;
use throughline_documents::{DocumentCaps, NotesPlace, SCRATCHPAD_RULES, StateRule, history_guidelines};
use throughline_git::GitCli;
use throughline_memory::{MemoryFiles, Scope, memo_rules, memory_sections};
use throughline_permission::Permissions;
use throughline_prompt::{FixedSections, PromptSection, SectionError, SectionSource};
#[cfg(feature = "sqlite")]
use throughline_query::SqliteHistory;
use throughline_store::DiskMemoryFiles;

use throughline_config::config_folder;
use throughline_stored::Storage;

use crate::plan_mode::PlannedMemos;

/// The settings of a session's documents, memory, history and checkpoints.
#[derive(Debug, Clone)]
pub(crate) struct ContinuitySettings<'a> {
    pub(crate) workspace: &'a Path,
    pub(crate) title: &'a str,
    pub(crate) state: StateRule,
    pub(crate) notes: NotesPlace,
    pub(crate) checkpoints: CheckpointPolicy,
    /// Checkpoints carry a handoff.
    pub(crate) handoff: bool,
    /// What outlives sessions; `None`: the memos of the storage and the memory files of the workspace.
    pub(crate) memory: Option<&'a MemoryPorts>,
    /// The memos of the storage that the session sees.
    pub(crate) memos: &'a Scope,
    /// The model may save memos.
    pub(crate) saves_memos: bool,
    /// In plan mode it may not.
    pub(crate) permissions: Arc<Permissions>,
}

/// Adds everything to an agent that outlives its messages.
pub(crate) fn with_continuity(
    builder: AgentBuilder,
    storage: &Storage,
    settings: &ContinuitySettings<'_>,
) -> AgentBuilder {
    let memory = settings.memory.cloned().unwrap_or_else(|| memory(storage, settings));
    let (files, permissions) = (Arc::clone(&memory.files), Arc::clone(&settings.permissions));
    let memory = MemoryPorts { notes: Arc::new(PlannedMemos { memos: memory.notes, permissions }), ..memory };
    let mut rules = vec![
        PromptSection::base("history", history_guidelines(settings.state, settings.notes)),
        PromptSection::base("scratchpad rules", SCRATCHPAD_RULES),
    ];
    if settings.saves_memos {
        rules.push(PromptSection::base("memo rules", memo_rules()));
    }
    #[cfg(feature = "sqlite")]
    let builder = builder.history(Arc::new(SqliteHistory::default()));
    builder
        .documents(DocumentCaps::default())
        .memory(memory)
        .checkpoints(Checkpoints {
            policy: settings.checkpoints,
            title: settings.title.to_owned(),
            git: Some(Arc::new(GitCli::new(settings.workspace))),
            handoff: settings.handoff,
        })
        .section(Arc::new(FixedSections::new("continuity", rules)))
        .section(Arc::new(MemorySections(files)))
}

/// The memos of the storage, and the memory files of a workspace.
fn memory(storage: &Storage, settings: &ContinuitySettings<'_>) -> MemoryPorts {
    let files = DiskMemoryFiles::new(settings.workspace, config_folder());
    MemoryPorts {
        notes: Arc::new(storage.store.notes()),
        search: Arc::new(storage.store.memory_search()),
        scope: settings.memos.clone(),
        files: Arc::new(files),
        index: Arc::new(storage.store.file_index()),
    }
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
