//! The hooks of a session: where they act on its turns, its calls and its questions.

mod approver;
mod background;
mod compactions;
mod followed;
mod judge;
mod layer;
mod runner;
mod transcript;
mod turn;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use throughline_completion::LanguageModel;
use throughline_config::Config;
use throughline_continuity::MessageLog;
use throughline_conversation::{ContentBlock, SessionId, hook_text};
use throughline_hooks::{HookAgent, HookAnswer, HookEvent, HookSession, Hooks, Occasion};
use throughline_permission::{Mode, Permissions};
use throughline_settings::keys;
use throughline_stored::Result;
use throughline_tools::{CancelFlag, CommandRunner, FileScope};

use crate::agent_role::AgentRole;

pub(crate) use approver::HookedApprover;
use background::BackgroundHooks;
pub(crate) use compactions::HookListeners;
use judge::Judge;
pub(crate) use layer::HookLayer;
use runner::{CommandHooks, SessionRunner};
use transcript::Transcript;

/// The hooks of one session.
#[derive(Debug)]
pub(crate) struct SessionHooks {
    hooks: Arc<Hooks>,
    judge: Arc<Judge>,
    /// The hooks that run in the background.
    background: BackgroundHooks,
    /// The user's session: this one, or the one that the sub-agent works for.
    session: SessionId,
    workspace: PathBuf,
    permissions: Arc<Permissions>,
    transcript: Transcript,
    /// What is added before the model's next request.
    context: Mutex<Vec<String>>,
    /// The triggers of compactions that no hook knows of.
    compactions: Mutex<Vec<&'static str>>,
    /// The ids of running calls that hooks allowed, so that no question is asked.
    allowed: Mutex<BTreeSet<String>>,
    /// Why a hook around a call has ended the turn.
    stop: Mutex<Option<String>>,
    /// How many times in a row they let the model continue that made no call in between.
    continued: AtomicU32,
    /// The sub-agent that works in the session; `None`: the session is the user's own.
    agent: Option<HookedAgent>,
    /// The files of the session's tools, as soon as it has them.
    files: OnceLock<FileScope>,
}

/// What the hooks of a session need of it.
pub(crate) struct HookPlace<'a> {
    pub(crate) config: &'a Config,
    pub(crate) session: SessionId,
    pub(crate) workspace: PathBuf,
    /// Runs commands in the sandbox.
    pub(crate) runner: CommandRunner,
    pub(crate) permissions: Arc<Permissions>,
    pub(crate) log: Arc<dyn MessageLog>,
    /// The model that judges.
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) agent: Option<&'a AgentRole>,
}

/// A sub-agent whose session has hooks.
#[derive(Debug)]
struct HookedAgent {
    id: SessionId,
    kind: String,
    transcript: Transcript,
}

impl SessionHooks {
    /// The hooks of the settings; `None`: there are none. Notices about entries without an effect go to `notices`.
    ///
    /// # Errors
    /// A file of hooks cannot be used.
    pub(crate) fn of(place: HookPlace<'_>, notices: &mut Vec<String>) -> Result<Option<Arc<Self>>> {
        let (hooks, ignored) = place.config.hooks()?;
        notices.extend(ignored);
        if hooks.is_empty() {
            return Ok(None);
        }
        let judge = Arc::new(Judge::new(place.model));
        let commands = CommandHooks::new(place.config, &place.workspace, place.runner);
        let allowed = place.config.resolved.list(keys::FETCH_ALLOW);
        let allowed = allowed.into_iter().map(|item| item.text).collect();
        let runner = Arc::new(SessionRunner { commands, judge: Arc::clone(&judge), allowed });
        let transcript = |session: &SessionId| {
            Transcript::new(Arc::clone(&place.log), session.clone(), place.workspace.clone())
        };
        let agent = place.agent.map(|role| HookedAgent {
            id: place.session.clone(),
            kind: role.kind.clone(),
            transcript: transcript(&place.session),
        });
        let session = place.agent.map_or(&place.session, |role| &role.user_session);
        Ok(Some(Arc::new(Self {
            hooks: Arc::new(Hooks::new(hooks, runner)),
            judge,
            background: BackgroundHooks::default(),
            transcript: transcript(session),
            session: session.clone(),
            workspace: place.workspace,
            permissions: place.permissions,
            context: Mutex::default(),
            compactions: Mutex::default(),
            allowed: Mutex::default(),
            stop: Mutex::default(),
            continued: AtomicU32::new(0),
            agent,
            files: OnceLock::new(),
        })))
    }

    /// Follows the files that calls of these tools change.
    pub(crate) fn follow_files(&self, scope: &FileScope) {
        let _ = self.files.set(scope.clone());
    }

    /// Takes the sentences for the user since the last call.
    pub(crate) fn take_notices(&self) -> Vec<String> {
        self.hooks.take_notices()
    }

    /// Runs the hooks of an occasion. Without one nothing is read or written.
    async fn fire(&self, occasion: Occasion, cancel: &CancelFlag) -> HookAnswer {
        if !self.hooks.match_any(&occasion) {
            return HookAnswer::default();
        }
        let session = self.seen().await;
        for run in self.hooks.background_runs(&occasion, &session) {
            self.background.start(occasion.event(), run, &self.hooks);
        }
        self.hooks.fire(&occasion, &session, cancel).await
    }

    /// What hooks are given of the session now.
    async fn seen(&self) -> HookSession {
        let agent = match &self.agent {
            None => None,
            Some(HookedAgent { id, kind, transcript }) => Some(HookAgent {
                id: id.to_string(),
                kind: kind.clone(),
                transcript: transcript.updated().await,
            }),
        };
        HookSession {
            id: self.session.to_string(),
            workspace: self.workspace.clone(),
            transcript: self.transcript.updated().await,
            mode: mode_name(self.permissions.mode()),
            agent,
        }
    }

    /// Another model answers from now on: it judges, too.
    pub(crate) fn judge_by(&self, model: Arc<dyn LanguageModel>) {
        self.judge.ask(model);
    }

    fn waits_for(&self, event: HookEvent) -> bool {
        self.hooks.wait_for(event)
    }

    /// Tells the hooks that the session has begun. What they say is for its first message.
    pub(crate) async fn begin(&self, source: &str, model: &str) {
        let (event, occasion) = match &self.agent {
            Some(agent) => (HookEvent::SubagentStart, Occasion::subagent_start(&agent.kind)),
            None => (HookEvent::SessionStart, Occasion::session_start(source, model)),
        };
        let answer = self.fire(occasion, &CancelFlag::new()).await;
        self.remember(event, &answer);
    }

    /// Tells the hooks that the session is closed.
    pub(crate) async fn end(&self) {
        if self.agent.is_none() {
            self.fire(Occasion::session_end("other"), &CancelFlag::new()).await;
        }
        self.background.finish().await;
    }

    /// Adds what hooks say to the model's next request.
    fn remember(&self, event: HookEvent, answer: &HookAnswer) {
        if let Some(text) = answer.context_text() {
            lock(&self.context).push(tagged(event, &text));
        }
    }

    /// Takes what is added before the model's next request.
    fn take_context(&self) -> Vec<ContentBlock> {
        let texts = std::mem::take(&mut *lock(&self.context));
        texts.into_iter().map(|text| ContentBlock::Text { text }).collect()
    }
}

/// A text of hooks as the model sees it: marked, so that it is not taken for the user's words.
fn tagged(event: HookEvent, text: &str) -> String {
    hook_text(event.name(), text)
}

/// A permission mode in the words of hook scripts.
fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Plan => "plan",
        Mode::Ask => "default",
        Mode::AutoEdit => "acceptEdits",
        Mode::Yolo => "bypassPermissions",
    }
}

fn lock<T>(value: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
