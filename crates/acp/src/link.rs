//! What the parts of an open session share: its client, its folder, and the calls that run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use agent_client_protocol::v1::schema::{CompactionUpdate, Diff, NoticeSeverity, SessionId, SessionUpdate};
use throughline_conversation::ToolCall;
use throughline_tools::ToolRegistry;
use throughline_tools::{Access, CancelFlag};

use crate::editor::Editor;

/// The link from a session to its client.
pub(crate) struct Link {
    pub(crate) editor: Editor,
    /// Absolute.
    pub(crate) workspace: PathBuf,
    id: OnceLock<SessionId>,
    /// Those of now: the tools of servers may change between turns.
    tools: RwLock<Option<ToolRegistry>>,
    state: Mutex<LinkState>,
}

#[derive(Default)]
struct LinkState {
    /// The calls that have started and have not finished, by id.
    calls: BTreeMap<String, ToolCall>,
    /// What they changed.
    diffs: BTreeMap<String, Vec<Diff>>,
    /// Raised to end the turn that runs.
    cancel: Option<CancelFlag>,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Link").field("session", &self.id).finish_non_exhaustive()
    }
}

impl Link {
    pub(crate) fn new(editor: Editor, workspace: &Path) -> Self {
        Self {
            editor,
            workspace: workspace.to_owned(),
            id: OnceLock::new(),
            tools: RwLock::default(),
            state: Mutex::default(),
        }
    }

    /// Names the session, once it is open.
    pub(crate) fn name(&self, id: SessionId) {
        let _ = self.id.set(id);
    }

    /// Takes the tools of the session.
    pub(crate) fn set_tools(&self, tools: &ToolRegistry) {
        *self.tools.write().unwrap_or_else(PoisonError::into_inner) = Some(tools.clone());
    }

    /// Sends an update of the session.
    pub(crate) fn update(&self, update: SessionUpdate) {
        if let Some(id) = self.id.get() {
            self.editor.update(id, update);
        }
    }

    /// Sends a compaction to a client that shows them.
    pub(crate) fn compaction(&self, update: CompactionUpdate) {
        if self.editor.shows_compactions() {
            self.update(SessionUpdate::CompactionUpdate(update));
        }
    }

    /// Sends a notice for the user.
    pub(crate) fn notice(&self, severity: NoticeSeverity, text: &str) {
        if let Some(id) = self.id.get() {
            self.editor.notice(id, severity, text);
        }
    }

    /// The protocol's name of the session. Empty before it is open, when nothing is sent.
    pub(crate) fn id(&self) -> SessionId {
        self.id.get().cloned().unwrap_or_else(|| SessionId::new(""))
    }

    /// What a call does, as its tool declares it; `None`: it is no tool of the registry.
    pub(crate) fn access(&self, call: &ToolCall) -> Option<Access> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.as_ref()?.get(&call.name).map(|tool| tool.access(call))
    }

    /// Remembers a call that has started.
    pub(crate) fn started(&self, call: ToolCall) {
        self.state().calls.insert(call.id.clone(), call);
    }

    /// Remembers what a call changed.
    pub(crate) fn changed(&self, call: &str, diffs: impl IntoIterator<Item = Diff>) {
        self.state().diffs.entry(call.to_owned()).or_default().extend(diffs);
    }

    /// Forgets a call that has finished. Returns it with what it changed.
    pub(crate) fn finished(&self, call: &str) -> (Option<ToolCall>, Vec<Diff>) {
        let mut state = self.state();
        (state.calls.remove(call), state.diffs.remove(call).unwrap_or_default())
    }

    /// Begins a turn. `None`: one runs already.
    pub(crate) fn begin(&self) -> Option<CancelFlag> {
        let mut state = self.state();
        if state.cancel.is_some() {
            return None;
        }
        Some(state.cancel.insert(CancelFlag::new()).clone())
    }

    /// The turn has ended. Calls that it left have no end of their own. Returns them.
    pub(crate) fn end(&self) -> Vec<ToolCall> {
        let mut state = self.state();
        state.cancel = None;
        state.diffs.clear();
        std::mem::take(&mut state.calls).into_values().collect()
    }

    /// Cancels the turn that runs, if one does.
    pub(crate) fn cancel(&self) {
        if let Some(flag) = &self.state().cancel {
            flag.cancel();
        }
    }

    fn state(&self) -> MutexGuard<'_, LinkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
