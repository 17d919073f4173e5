//! The open contexts of a process, by id.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_conversation::Millis;
use throughline_engine::SessionId;

use crate::call_output::CallOutput;
use crate::context::OpenContext;
use crate::error::{CallError, ErrorCode};
use crate::inspect::ContextState;
use crate::models::{ModelFacts, NoModels};
use crate::notice::NoticeSink;
use crate::open::{Open, Opened, Shared};
use crate::operation::Operation;
use crate::storage::{ContextStorage, InMemoryStorage};
use crate::table::{self, Envelope};
use crate::words::Done;

type Slot = Arc<tokio::sync::Mutex<Held>>;

/// What is known of a context.
#[derive(Default)]
enum Held {
    /// Nothing: it is being opened, or it was closed.
    #[default]
    Nothing,
    /// It is open.
    Open(Box<OpenContext>),
    /// It was closed because it was not used. The next operation opens it again with this, if the session that was created then is
    /// still there.
    Idle(Box<Open>, Millis),
}

impl Held {
    fn open(&self) -> Option<&OpenContext> {
        match self {
            Self::Open(context) => Some(context),
            Self::Nothing | Self::Idle(..) => None,
        }
    }
}

/// Many open contexts. A clone is another handle of the same ones.
///
/// Operations of one context run in the order in which their futures are first polled; those of different contexts run side by
/// side. There is no state outside of this value.
#[derive(Clone)]
pub struct Contexts {
    shared: Shared,
    open: Arc<Mutex<HashMap<SessionId, Slot>>>,
}

impl fmt::Debug for Contexts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Contexts").field("open", &self.slots().len()).finish_non_exhaustive()
    }
}

impl Default for Contexts {
    /// In memory, without a table of models.
    fn default() -> Self {
        Self::new(Arc::new(InMemoryStorage::default()), Arc::new(NoModels), None)
    }
}

/// An open context, in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListedContext {
    /// Its id.
    pub context: String,
    /// Where it stands; none while an operation runs.
    pub state: Option<ContextState>,
}

/// The open contexts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextList {
    /// Each of them, by id.
    pub contexts: Vec<ListedContext>,
}

impl Contexts {
    /// Contexts with this storage and these models. `sink` receives the notices of all of them.
    #[must_use]
    pub fn new(
        storage: Arc<dyn ContextStorage>,
        models: Arc<dyn ModelFacts>,
        sink: Option<Arc<dyn NoticeSink>>,
    ) -> Self {
        let shared = Shared { storage, models, sink };
        Self { shared, open: Arc::default() }
    }

    /// The same contexts; those that this handle opens are stored in what `wrap` makes of the storage. One that is opened again
    /// because it was not used is stored as before.
    #[must_use]
    pub fn stored_by(&self, wrap: impl FnOnce(Arc<dyn ContextStorage>) -> Arc<dyn ContextStorage>) -> Self {
        let storage = wrap(Arc::clone(&self.shared.storage));
        Self { shared: Shared { storage, ..self.shared.clone() }, open: Arc::clone(&self.open) }
    }

    /// Opens a context. The same key again returns what the first call has returned.
    ///
    /// # Errors
    /// [`CallError`]; then no context is opened.
    pub async fn open(&self, id: &str, key: Option<&str>, input: Open) -> Result<Opened, CallError> {
        let id = session_id(id)?;
        let slot = Arc::clone(self.slots().entry(id.clone()).or_default());
        let mut held = slot.lock().await;
        if let Some(context) = held.open() {
            let known = key.map(|key| context.outcome::<Opened>(key, "open")).transpose()?.flatten();
            return known.ok_or_else(|| {
                let message = format!(
                    "the context {id} is open already; close it first, or repeat the key that opened it"
                );
                CallError::new(ErrorCode::AlreadyOpen, message).with("context", id.as_str())
            });
        }
        match input.run(id.clone(), &self.shared, None).await {
            Ok((mut context, opened)) => {
                if let Some(key) = key {
                    // The session may have the key of an earlier run.
                    if let Err(error) = context.outcome::<Opened>(key, "open") {
                        // The context has done nothing that could be lost.
                        drop(context.save().await);
                        self.shared.storage.withdraw(&id, context.into_guard()).await;
                        self.remove(&id, &slot);
                        return Err(error);
                    }
                    context.note_outcome(key.to_owned(), "open", Box::new(opened.clone()));
                }
                *held = Held::Open(Box::new(context));
                // A close since may have forgotten the slot.
                self.slots().insert(id, Arc::clone(&slot));
                Ok(opened)
            }
            Err(error) => {
                self.remove(&id, &slot);
                Err(error)
            }
        }
    }

    /// Closes a context: writes what is pending, and a snapshot. Its session stays in the storage.
    ///
    /// # Errors
    /// [`ErrorCode::UnknownContext`]. [`ErrorCode::Unsaved`]: records cannot be written; the context stays open, and another call tries
    /// again. [`ErrorCode::Held`]: another process has taken the session over; the context is closed, and what was not written is
    /// lost.
    pub async fn close(&self, id: &str) -> Result<Done, CallError> {
        let id = session_id(id)?;
        let slot = self.slot(&id)?;
        let mut held = slot.lock().await;
        let mut outcome = Ok(Done {});
        if let Held::Open(context) = &mut *held
            && let Err(unsaved) = context.save().await
        {
            outcome = Err(context.lost().await.ok_or(unsaved)?);
        }
        match std::mem::take(&mut *held) {
            Held::Open(context) => context.release().await,
            Held::Idle(..) => {}
            Held::Nothing => return Err(CallError::unknown_context(&id)),
        }
        self.remove(&id, &slot);
        outcome
    }

    /// Closes each context that no operation has used since the last call of this. The next operation opens it again. Keys that
    /// are remembered only while a context is open are forgotten. A context whose records cannot be written stays open.
    pub async fn close_idle(&self) {
        let slots: Vec<Slot> = self.slots().values().map(Arc::clone).collect();
        for slot in slots {
            // An operation that runs or waits is a use.
            let Ok(mut held) = slot.try_lock() else { continue };
            let Held::Open(context) = &mut *held else { continue };
            if std::mem::take(&mut context.is_used) {
                continue;
            }
            // Its notices say why.
            if context.save().await.is_err() {
                continue;
            }
            let idle = Held::Idle(Box::new(context.opening.clone()), context.created);
            if let Held::Open(context) = std::mem::replace(&mut *held, idle) {
                context.release().await;
            }
        }
    }

    /// Forgets a context that was closed because it was not used, when its session is deleted.
    pub fn forget(&self, session: &SessionId) {
        let mut slots = self.slots();
        let is_idle = |slot: &Slot| slot.try_lock().is_ok_and(|held| matches!(*held, Held::Idle(..)));
        if slots.get(session).is_some_and(is_idle) {
            slots.remove(session);
        }
    }

    /// Closes all contexts. Operations that run or wait are done first. Returns why records of some are not stored.
    #[must_use]
    pub async fn close_all(&self) -> Vec<CallError> {
        let open: Vec<String> = self.slots().keys().map(ToString::to_string).collect();
        let mut unsaved = Vec::new();
        for id in open {
            match self.close(&id).await {
                // It was closed meanwhile.
                Err(error) if error.code == ErrorCode::UnknownContext => {}
                Err(error) => unsaved.push(error),
                Ok(Done {}) => {}
            }
        }
        unsaved
    }

    /// Returns true if a context is open, or is being opened or closed.
    #[must_use]
    pub fn is_open(&self, id: &str) -> bool {
        let slot = SessionId::new(id).ok().and_then(|id| self.slots().get(&id).map(Arc::clone));
        slot.is_some_and(|slot| slot.try_lock().map_or(true, |held| held.open().is_some()))
    }

    /// The open contexts, by id.
    #[must_use]
    pub fn list(&self) -> ContextList {
        let slots: Vec<(SessionId, Slot)> =
            self.slots().iter().map(|(id, slot)| (id.clone(), Arc::clone(slot))).collect();
        let listed = |(id, slot): (SessionId, Slot)| {
            let state = slot.try_lock().ok().map(|held| held.open().map(OpenContext::state));
            // A slot without a context is being opened or closed, or idle.
            let is_open = state.as_ref().is_none_or(Option::is_some);
            is_open.then(|| ListedContext { context: id.to_string(), state: state.flatten() })
        };
        let mut contexts: Vec<ListedContext> = slots.into_iter().filter_map(listed).collect();
        contexts.sort_by(|one, other| one.context.cmp(&other.context));
        ContextList { contexts }
    }

    /// Runs an operation. The same key again returns what the first call has returned, and changes nothing. Keys of `user`,
    /// `answer`, `answer_stream` and `results` are stored with the session: its newest 64 hold over a restart. Of the other
    /// operations the newest 32 are remembered while the context is open.
    ///
    /// # Errors
    /// [`CallError`]; its code says what has changed. [`ErrorCode::Held`]: another process has taken the session over; the context is
    /// closed.
    pub async fn run<O: Operation>(
        &self,
        id: &str,
        key: Option<&str>,
        input: O,
    ) -> Result<O::Output, CallError> {
        let id = session_id(id)?;
        let slot = self.slot(&id)?;
        let mut held = slot.lock().await;
        if let Held::Idle(opening, created) = &*held {
            let opened = opening.as_ref().clone().run(id.clone(), &self.shared, Some(*created)).await;
            *held = match opened {
                Ok((context, _)) => Held::Open(Box::new(context)),
                Err(error) if error.code == ErrorCode::UnknownContext => Held::Nothing,
                Err(error) => return Err(error),
            };
        }
        let Held::Open(context) = &mut *held else {
            self.remove(&id, &slot);
            return Err(CallError::unknown_context(&id));
        };
        context.is_used = true;
        let outcome = context.run(key, input).await;
        let Some(lost) = context.lost().await else { return outcome };
        if let Held::Open(context) = std::mem::take(&mut *held) {
            context.release().await;
        }
        self.remove(&id, &slot);
        Err(lost)
    }

    /// Runs an operation by its name. `input` has its fields, and besides `context` and, if any, `key`.
    ///
    /// # Errors
    /// [`CallError`], the same as the typed calls return.
    pub async fn call(&self, operation: &str, input: Value) -> Result<Value, CallError> {
        let output = self.call_json(operation, input, Vec::new()).await?;
        serde_json::from_slice(output.as_ref()).map_err(|error| CallError::of(ErrorCode::Storage, &error))
    }

    /// The same with the output as JSON, appended to `text`: a body is large, and is written once.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn call_json(
        &self,
        operation: &str,
        input: Value,
        text: Vec<u8>,
    ) -> Result<CallOutput, CallError> {
        let entry = table::find(operation)?;
        let envelope = Envelope::of(entry, input)?;
        (entry.call)(self.clone(), envelope, text).await
    }

    fn slot(&self, id: &SessionId) -> Result<Slot, CallError> {
        self.slots().get(id).map(Arc::clone).ok_or_else(|| CallError::unknown_context(id))
    }

    /// Removes the slot of a context that is closed, unless the id has another slot by now.
    fn remove(&self, id: &SessionId, slot: &Slot) {
        let mut slots = self.slots();
        if slots.get(id).is_some_and(|known| Arc::ptr_eq(known, slot)) {
            slots.remove(id);
        }
    }

    /// Recovers a poisoned lock: no panic can leave the map half written.
    fn slots(&self) -> MutexGuard<'_, HashMap<SessionId, Slot>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn session_id(id: &str) -> Result<SessionId, CallError> {
    SessionId::new(id)
        .map_err(|error| CallError::of(ErrorCode::InvalidInput, &error).with("field", "context"))
}
