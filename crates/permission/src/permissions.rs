//! The permissions of a session.

mod decide;
mod hiding;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use throughline_conversation::ToolCall;
use throughline_text::error_chain;
use throughline_tools::Access;

use hiding::Hiding;

use crate::{Decision, InMemoryRuleStore, Mode, Rule, RuleError, RuleStore, RuleStoreError};

/// What a rule does with the calls that it speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// They are refused, in every mode.
    Deny,
    /// They are asked about, unless one is refused.
    Ask,
    /// They run, unless one is refused or asked about.
    Allow,
}

impl RuleKind {
    /// Its name, as it is written in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// A rule, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedRule {
    /// What it does.
    pub kind: RuleKind,
    /// Which calls it speaks of.
    pub rule: Rule,
    /// Where it was written, for the user: a file with its line, an option, `remembered`.
    pub place: String,
}

/// Rules, in the order in which they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    all: Vec<PlacedRule>,
}

impl Rules {
    /// No rule.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule.
    ///
    /// # Errors
    /// [`RuleError`] when it cannot be used; nothing is added then.
    pub fn add(&mut self, kind: RuleKind, text: &str, place: impl Into<String>) -> Result<(), RuleError> {
        let rule = Rule::parse(text)?;
        self.all.push(PlacedRule { kind, rule, place: place.into() });
        Ok(())
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[PlacedRule] {
        &self.all
    }

    fn of(&self, kind: RuleKind) -> impl Iterator<Item = &PlacedRule> {
        self.all.iter().filter(move |placed| placed.kind == kind)
    }
}

/// When commands run without asking, where neither a rule nor the mode says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Commands {
    /// They run in a sandbox that holds.
    pub sandboxed: bool,
    /// Those that run in one need not be asked about.
    pub sandboxed_are_free: bool,
}

/// The permissions of a session: its mode, which may change while it runs, and the rules.
#[derive(Debug)]
pub struct Permissions {
    rules: Rules,
    workspace: PathBuf,
    folders: Vec<PathBuf>,
    commands: Commands,
    store: Arc<dyn RuleStore>,
    state: RwLock<State>,
}

#[derive(Debug)]
struct State {
    mode: Mode,
    remembered: Vec<PlacedRule>,
    problems: Vec<String>,
}

impl Permissions {
    /// Permissions in a workspace, by its absolute path; paths of rules begin there. What the user allows for good is
    /// kept in memory only, until [`Self::remembering`] names a store.
    #[must_use]
    pub fn new(mode: Mode, rules: Rules, workspace: impl Into<PathBuf>) -> Self {
        Self {
            rules,
            workspace: workspace.into(),
            folders: Vec::new(),
            commands: Commands::default(),
            store: Arc::new(InMemoryRuleStore::default()),
            state: RwLock::new(State { mode, remembered: Vec::new(), problems: Vec::new() }),
        }
    }

    /// Sets when commands run without asking.
    #[must_use]
    pub fn commands(mut self, commands: Commands) -> Self {
        self.commands = commands;
        self
    }

    /// The folders beside the workspace, by their absolute paths, in which file tools write. What changes a file elsewhere
    /// is refused and not asked about: a yes could not make it so.
    #[must_use]
    pub fn editing(mut self, folders: Vec<PathBuf>) -> Self {
        self.folders = folders;
        self
    }

    /// Keeps what the user allows for good in this store, and takes the rules that it has. A rule in it that cannot be
    /// used, and a store that cannot be read, are [problems](Self::take_problems).
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
            Err(error) => self.complain(error_chain(&error)),
        }
        self
    }

    /// The mode now.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.read().mode
    }

    /// Changes the mode for the calls that come.
    pub fn set_mode(&self, mode: Mode) {
        self.write().mode = mode;
    }

    /// The rules that were written, and those that the user allowed for good.
    #[must_use]
    pub fn rules(&self) -> Vec<PlacedRule> {
        self.rules.all.iter().chain(&self.read().remembered).cloned().collect()
    }

    /// What the user should know: rules that could not be read or kept. Each is given once.
    pub fn take_problems(&self) -> Vec<String> {
        std::mem::take(&mut self.write().problems)
    }

    /// Allows what the rule speaks of from now on. It holds for this session also when it could not be kept.
    ///
    /// # Errors
    /// [`RuleStoreError`] when it is not kept.
    pub async fn remember(&self, rule: &str) -> Result<(), RuleStoreError> {
        self.add_remembered(rule);
        self.store.save(rule).await
    }

    /// Forgets a rule that the user allowed for good.
    ///
    /// # Errors
    /// [`RuleStoreError`] when it is still kept for the next session; this one has forgotten it.
    pub async fn forget(&self, rule: &str) -> Result<(), RuleStoreError> {
        self.write().remembered.retain(|placed| placed.rule.text() != rule);
        self.store.remove(rule).await
    }

    /// What becomes of a call that does this. Links in its path are not followed.
    #[must_use]
    pub fn decide(&self, call: &ToolCall, access: &Access) -> Decision {
        self.decide_at(call, access, None)
    }

    /// The same, where the path of the call really leads to this place.
    #[must_use]
    pub fn decide_at(&self, call: &ToolCall, access: &Access, real: Option<&Path>) -> Decision {
        self.case(&self.read()).decide(call, access, real)
    }

    /// What hides files from this call, which goes through a folder that it may read: those of which a rule says that they
    /// may not be read, or asks. `None`: nothing is hidden.
    ///
    /// A rule that speaks of the folder itself has had its say already.
    pub(crate) fn hiding(&self, call: &ToolCall, access: &Access, real: Option<&Path>) -> Option<Hiding> {
        let state = self.read();
        let rules = self.case(&state).watching(call, access, real);
        (!rules.is_empty()).then(|| Hiding::new(rules, call, &self.workspace))
    }

    fn case<'a>(&'a self, state: &'a State) -> decide::Case<'a> {
        decide::Case {
            mode: state.mode,
            rules: &self.rules,
            remembered: &state.remembered,
            workspace: &self.workspace,
            folders: &self.folders,
            commands: self.commands,
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
            Err(error) => self.complain(format!("a remembered rule is left out: {error}")),
        }
    }

    pub(crate) fn complain(&self, text: String) {
        tracing::warn!("{text}");
        self.write().problems.push(text);
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}
