//! The hooks of a session.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join_all;
use serde_json::{Value, json};
use throughline_tools::CancelFlag;

use crate::answer::HookAnswer;
use crate::event::HookEvent;
use crate::hook::Hook;
use crate::occasion::Occasion;
use crate::reading::read;
use crate::runner::HookRunner;

/// What every hook is given of the session.
#[derive(Debug, Clone)]
pub struct HookSession {
    /// Its id. Of a sub-agent: that of the user's session that it works for.
    pub id: String,
    /// The folder that it works in.
    pub workspace: PathBuf,
    /// A file with its messages, as lines of JSON; `None`: it has no such file.
    pub transcript: Option<PathBuf>,
    /// The permission mode, in the words of scripts.
    pub mode: &'static str,
    /// The sub-agent that the event is of; `None`: it is of the user's own session.
    pub agent: Option<HookAgent>,
}

/// What hooks are given of a sub-agent.
#[derive(Debug, Clone)]
pub struct HookAgent {
    /// The id of its own session.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// The same as [`HookSession::transcript`], with its own messages.
    pub transcript: Option<PathBuf>,
}

/// The hooks of a session, and what they had to say to the user.
#[derive(Debug)]
pub struct Hooks {
    hooks: Vec<Hook>,
    runner: Arc<dyn HookRunner>,
    notices: Mutex<Vec<String>>,
}

/// A hook that runs in the background.
#[derive(Debug)]
pub struct AsyncRun {
    hook: Hook,
    input: String,
    runner: Arc<dyn HookRunner>,
}

impl AsyncRun {
    /// Runs it to its end. What it decides comes too late: only its texts count.
    pub async fn run(self, cancel: &CancelFlag) -> HookAnswer {
        let run = self.runner.run(&self.hook, &self.input, cancel).await;
        let HookAnswer { context, notices, .. } = read(&self.hook, &run);
        HookAnswer { context, notices, ..HookAnswer::default() }
    }
}

impl Hooks {
    /// These hooks, run by this runner.
    #[must_use]
    pub fn new(hooks: Vec<Hook>, runner: Arc<dyn HookRunner>) -> Self {
        Self { hooks, runner, notices: Mutex::default() }
    }

    /// Returns true if a hook waits for this event.
    #[must_use]
    pub fn wait_for(&self, event: HookEvent) -> bool {
        self.hooks.iter().any(|hook| hook.event == event)
    }

    /// Returns true if a hook runs on this occasion.
    #[must_use]
    pub fn match_any(&self, occasion: &Occasion) -> bool {
        self.matching(occasion).next().is_some()
    }

    fn matching<'a>(&'a self, occasion: &'a Occasion) -> impl Iterator<Item = &'a Hook> {
        let of_event = self.hooks.iter().filter(|hook| hook.event == occasion.event);
        of_event.filter(|hook| hook.matcher.matches(&occasion.names))
    }

    /// The hooks of an occasion, each of what they do once: those that are waited for, or those that run in the background.
    fn chosen<'a>(&'a self, occasion: &'a Occasion, is_async: bool) -> Vec<&'a Hook> {
        let mut seen = BTreeSet::new();
        let matching = self.matching(occasion).filter(|hook| hook.is_async == is_async);
        matching.filter(|hook| seen.insert((hook.kind(), hook.text()))).collect()
    }

    /// The hooks of an occasion that are not waited for. The caller runs them.
    #[must_use]
    pub fn background_runs(&self, occasion: &Occasion, session: &HookSession) -> Vec<AsyncRun> {
        let chosen = self.chosen(occasion, true).into_iter();
        let run = |hook: &Hook| AsyncRun {
            hook: hook.clone(),
            input: format!("{}\n", payload(occasion, session)),
            runner: Arc::clone(&self.runner),
        };
        chosen.map(run).collect()
    }

    /// Runs the hooks of an occasion that are waited for side by side, and combines their answers in the order of the files.
    pub async fn fire(&self, occasion: &Occasion, session: &HookSession, cancel: &CancelFlag) -> HookAnswer {
        let matching = self.chosen(occasion, false);
        let input = format!("{}\n", payload(occasion, session));
        let runs = join_all(matching.iter().map(|hook| self.runner.run(hook, &input, cancel))).await;
        let answers = matching.iter().zip(&runs).map(|(hook, run)| read(hook, run));
        let mut answer = answers.fold(HookAnswer::default(), HookAnswer::and);
        self.say(answer.notices.drain(..));
        answer
    }

    /// Adds sentences for the user.
    pub fn say(&self, texts: impl IntoIterator<Item = String>) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).extend(texts);
    }

    /// Takes the sentences for the user since the last call.
    #[must_use]
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The object on a hook's standard input.
fn payload(occasion: &Occasion, session: &HookSession) -> Value {
    let path =
        |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let mut payload = json!({
        "session_id": session.id,
        "transcript_path": path(&session.transcript),
        "cwd": session.workspace,
        "permission_mode": session.mode,
        "hook_event_name": occasion.event.name(),
    });
    if let Some(fields) = payload.as_object_mut() {
        if let Some(agent) = &session.agent {
            fields.insert("agent_id".to_owned(), json!(agent.id));
            fields.insert("agent_type".to_owned(), json!(agent.kind));
            fields.insert("agent_transcript_path".to_owned(), json!(path(&agent.transcript)));
        }
        fields.extend(occasion.fields.clone());
    }
    payload
}

#[cfg(test)]
mod tests;
