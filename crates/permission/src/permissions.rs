//! The permissions of a session.

mod decide;
mod edited;
mod hiding;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use throughline_conversation::ToolCall;
use throughline_text::error_chain;
use throughline_tools::{Access, ReadGrants};

use crate::decision::Decision;
use crate::mode::Mode;
use crate::rule::Rule;
use crate::rule_store::{InMemoryRuleStore, RuleStore, RuleStoreError};
use crate::rules::{PlacedRule, RuleKind, Rules};
use hiding::HiddenFiles;

/// When commands run without approval if neither a rule nor the mode decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Commands {
    /// Commands run in an enforced sandbox.
    pub sandboxed: bool,
    /// Sandboxed commands need no approval.
    pub sandboxed_are_free: bool,
    /// Sandboxed commands that only read the workspace need no approval.
    pub reading_is_free: bool,
    /// The user trusts the workspace: git may run programs that the settings of its repository name, also when it only reads.
    pub workspace_is_trusted: bool,
}

/// The permissions of a session: its mode, which may change while it runs, and the rules.
#[derive(Debug)]
pub struct Permissions {
    rules: Rules,
    workspace: PathBuf,
    folders: Vec<PathBuf>,
    commands: Commands,
    reads: Option<ReadGrants>,
    store: Arc<dyn RuleStore>,
    state: RwLock<SessionState>,
}

#[derive(Debug)]
struct SessionState {
    mode: Mode,
    remembered: Vec<PlacedRule>,
    problems: Vec<String>,
}

impl Permissions {
    /// Permissions for a workspace, given by its absolute path, to which paths in rules are relative. Remembered rules are
    /// stored in memory unless [`Self::remembering`] sets another store.
    #[must_use]
    pub fn new(mode: Mode, rules: Rules, workspace: impl Into<PathBuf>) -> Self {
        Self {
            rules,
            workspace: workspace.into(),
            folders: Vec::new(),
            commands: Commands::default(),
            reads: None,
            store: Arc::new(InMemoryRuleStore::default()),
            state: RwLock::new(SessionState { mode, remembered: Vec::new(), problems: Vec::new() }),
        }
    }

    /// Sets when commands run without approval.
    #[must_use]
    pub fn commands(mut self, commands: Commands) -> Self {
        self.commands = commands;
        self
    }

    /// Sets the absolute paths of the folders outside of the workspace that file tools may write. An edit elsewhere is
    /// refused without asking, because the file tools would refuse it anyway.
    #[must_use]
    pub fn editing(mut self, folders: Vec<PathBuf>) -> Self {
        self.folders = folders;
        self
    }

    /// Asks the user about reading outside of the workspace and the folders. What is allowed goes into these grants, which the
    /// file tools share. Without it such a call is left to the file tools, which refuse it.
    #[must_use]
    pub fn asking_to_read(mut self, grants: ReadGrants) -> Self {
        self.reads = Some(grants);
        self
    }

    /// What may be read outside of the workspace, if the user is asked about it.
    #[must_use]
    pub fn read_grants(&self) -> Option<&ReadGrants> {
        self.reads.as_ref()
    }

    /// Lets file tools read the folder of a file that a call may read.
    pub(crate) fn grant_folder(&self, access: &Access, real: Option<&Path>) {
        let Some((grants, real)) = self.reads.as_ref().zip(real) else { return };
        if self.policy(&self.read()).reads_outside(access, Some(real)).is_some() {
            grants.grant(granted_by(real));
        }
    }

    /// Stores remembered rules in this store, and loads the rules that it has. A malformed rule and an unreadable store are
    /// reported by [`Self::take_problems`].
    #[must_use]
    pub async fn remembering(mut self, store: Arc<dyn RuleStore>) -> Self {
        let loaded = store.load().await;
        self.store = store;
        match loaded {
            Ok(rules) => {
                for text in rules {
                    self.add_remembered(&text);
                }
            }
            Err(error) => self.report_problem(error_chain(&error)),
        }
        self
    }

    /// The current mode.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.read().mode
    }

    /// Changes the mode for later calls.
    pub fn set_mode(&self, mode: Mode) {
        self.write().mode = mode;
    }

    /// The written rules, then the remembered ones.
    #[must_use]
    pub fn rules(&self) -> Vec<PlacedRule> {
        self.rules.all().iter().chain(&self.read().remembered).cloned().collect()
    }

    /// Takes the problems to report to the user: rules that could not be read or saved. Each is returned once.
    pub fn take_problems(&self) -> Vec<String> {
        std::mem::take(&mut self.write().problems)
    }

    /// Remembers an allow rule. It applies to this session even if it cannot be saved.
    ///
    /// # Errors
    /// [`RuleStoreError`] when it was not saved.
    pub async fn remember(&self, rule: &str) -> Result<(), RuleStoreError> {
        self.add_remembered(rule);
        self.store.save(rule).await
    }

    /// Forgets a remembered rule.
    ///
    /// # Errors
    /// [`RuleStoreError`] when it is still stored for the next session; this session has forgotten it.
    pub async fn forget(&self, rule: &str) -> Result<(), RuleStoreError> {
        self.write().remembered.retain(|placed| placed.rule.text() != rule);
        self.store.remove(rule).await
    }

    /// Forgets the remembered rules that name a tool, because it is not the tool any more that the user allowed. Returns them.
    pub async fn forget_tool(&self, tool: &str) -> Vec<String> {
        let names = |placed: &&PlacedRule| placed.rule.is_of_tool(tool);
        let rules: Vec<String> =
            self.read().remembered.iter().filter(names).map(|placed| placed.rule.text().to_owned()).collect();
        for rule in &rules {
            if let Err(error) = self.forget(rule).await {
                self.report_problem(error_chain(&error));
            }
        }
        rules
    }

    /// Decides about a call with this access. Does not follow links in its path.
    #[must_use]
    pub fn decide(&self, call: &ToolCall, access: &Access) -> Decision {
        self.decide_at(call, access, None)
    }

    /// Decides about a call whose path resolves to `real`.
    #[must_use]
    pub fn decide_at(&self, call: &ToolCall, access: &Access, real: Option<&Path>) -> Decision {
        self.policy(&self.read()).decide(call, access, real)
    }

    /// The files that are hidden from this call, which walks a folder: those that a rule denies or asks about. `None` if no
    /// file is hidden.
    ///
    /// Rules that match the folder itself are not included: they have been applied to the call.
    pub(crate) fn hidden_files(
        &self,
        call: &ToolCall,
        access: &Access,
        real: Option<&Path>,
    ) -> Option<HiddenFiles> {
        let state = self.read();
        let rules = self.policy(&state).rules_against_reading(call, access, real);
        (!rules.is_empty()).then(|| HiddenFiles::new(rules, call, &self.workspace))
    }

    /// Checks a rule that the user wrote in place of the suggested one, to allow this call. Returns its text.
    ///
    /// # Errors
    /// Why it is not used, and what to write.
    pub(crate) fn check_edited(
        &self,
        rule: &str,
        call: &ToolCall,
        access: &Access,
        real: Option<&Path>,
    ) -> Result<String, String> {
        let state = self.read();
        edited::check(&self.policy(&state), rule, call, access, real)
    }

    fn policy<'a>(&'a self, state: &'a SessionState) -> decide::Policy<'a> {
        decide::Policy {
            mode: state.mode,
            rules: &self.rules,
            remembered: &state.remembered,
            workspace: &self.workspace,
            folders: &self.folders,
            commands: self.commands,
            reads: self.reads.as_ref(),
        }
    }

    fn add_remembered(&self, text: &str) {
        match Rule::parse(text) {
            Ok(rule) => {
                let mut state = self.write();
                if !state.remembered.iter().any(|placed| placed.rule == rule) {
                    let place = "remembered".to_owned();
                    state.remembered.push(PlacedRule { kind: RuleKind::Allow, rule, place });
                }
            }
            Err(error) => self.report_problem(format!("a remembered rule is ignored: {error}")),
        }
    }

    pub(crate) fn report_problem(&self, text: String) {
        tracing::warn!("{text}");
        self.write().problems.push(text);
    }

    fn read(&self) -> RwLockReadGuard<'_, SessionState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, SessionState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a yes to reading a file lets the file tools read: its folder, or the file alone where that folder is the root.
fn granted_by(real: &Path) -> PathBuf {
    if real.is_dir() {
        return real.to_owned();
    }
    let folder = real.parent().filter(|folder| folder.parent().is_some());
    folder.unwrap_or(real).to_owned()
}
