//! The open contexts of a process, by id.

use std::fmt;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_engine::SessionId;

use crate::call_output::CallOutput;
use crate::context::OpenContext;
use crate::error::{CallError, ErrorCode};
use crate::inspect::ContextState;
use crate::models::{ModelFacts, NoModels};
use crate::notice::NoticeSink;
use crate::open::{Open, Opened, Shared};
use crate::operation::Operation;
use crate::outcomes::OperationKey;
use crate::slots::{Held, LockedSlot, Slots};
use crate::storage::{ContextStorage, InMemoryStorage};
use crate::table::{self, Envelope};
use crate::words::Done;

/// Contexts that are closed side by side.
const CLOSED_AT_ONCE: usize = 16;

/// Many open contexts. A clone is another handle of the same ones.
///
/// Operations of one context run in the order in which their futures are first polled; those of different contexts run side by
/// side. There is no state outside of this value.
#[derive(Clone)]
pub struct Contexts {
    shared: Shared,
    slots: Slots,
}

impl fmt::Debug for Contexts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Contexts").field("open", &self.slots.len()).finish_non_exhaustive()
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
        Self { shared, slots: Slots::default() }
    }

    /// The same contexts; those that this handle opens are stored in what `wrap` makes of the storage. One that is opened again
    /// because it was not used is stored as before.
    #[must_use]
    pub fn stored_by(&self, wrap: impl FnOnce(Arc<dyn ContextStorage>) -> Arc<dyn ContextStorage>) -> Self {
        let storage = wrap(Arc::clone(&self.shared.storage));
        Self { shared: Shared { storage, ..self.shared.clone() }, slots: self.slots.clone() }
    }

    /// Opens a context. The same key again returns what the first call has returned.
    ///
    /// # Errors
    /// [`CallError`]; then no context is opened.
    pub async fn open(&self, id: &str, key: Option<&str>, input: Open) -> Result<Opened, CallError> {
        let id = session_id(id)?;
        let key = key.map(|key| OperationKey::new(key, "open", &input));
        let mut slot = self.slots.lock_or_make(&id).await;
        if let Some(context) = slot.open() {
            let known = key.as_ref().map(|key| context.outcome::<Opened>(key, "open")).transpose()?.flatten();
            return known.ok_or_else(|| {
                let message = format!(
                    "the context {id} is open already; close it first, or repeat the key that opened it"
                );
                CallError::new(ErrorCode::AlreadyOpen, message).with("context", id.as_str())
            });
        }
        let (mut context, opened) = input.run(id.clone(), &self.shared, None).await?;
        if let Some(key) = key {
            // The session may have the key of an earlier run.
            if let Err(error) = context.outcome::<Opened>(&key, "open") {
                // The context has done nothing that could be lost.
                drop(context.save().await);
                self.shared.storage.withdraw(&id, context.into_guard()).await;
                return Err(error);
            }
            context.note_outcome(key, "open", &opened);
        }
        *slot = Held::Open(Box::new(context));
        Ok(opened)
    }

    /// Closes a context: writes what is pending, and a snapshot. Its session stays in the storage.
    ///
    /// # Errors
    /// [`ErrorCode::UnknownContext`]. [`ErrorCode::Unsaved`]: records cannot be written; the context stays open, and another call tries
    /// again. [`ErrorCode::Held`]: another process has taken the session over; the context is closed, and what was not written is
    /// lost.
    pub async fn close(&self, id: &str) -> Result<Done, CallError> {
        Self::end(&mut *self.lock(&session_id(id)?).await?).await
    }

    /// Closes a context whose session is only in memory, and forgets the session. It may have been closed before.
    ///
    /// # Errors
    /// As [`close`](Self::close). [`ErrorCode::NotPossible`]: sessions are stored; nothing has changed.
    pub async fn close_and_forget(&self, id: &str) -> Result<Done, CallError> {
        let id = session_id(id)?;
        let Some(memory) = self.shared.storage.in_memory() else {
            let message = format!(
                "the session {id} is stored; close the context, and delete the session where it is stored"
            );
            return Err(CallError::new(ErrorCode::NotPossible, message));
        };
        let mut slot = self.slots.lock_or_make(&id).await;
        Self::end(&mut slot).await?;
        if memory.forget(&id) { Ok(Done {}) } else { Err(CallError::unknown_context(&id)) }
    }

    /// Closes what a slot holds.
    async fn end(held: &mut Held) -> Result<Done, CallError> {
        let mut outcome = Ok(Done {});
        if let Held::Open(context) = held
            && let Err(unsaved) = context.save().await
        {
            outcome = Err(context.lost().await.ok_or(unsaved)?);
        }
        if let Held::Open(context) = std::mem::take(held) {
            context.release().await;
        }
        outcome
    }

    /// Closes each context that no operation has used since the last call of this. The next operation opens it again. Keys that
    /// are remembered only while a context is open are forgotten. A context whose records cannot be written stays open.
    pub async fn close_idle(&self) {
        for (_, slot) in self.slots.all() {
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
        self.slots.remove_idle(session);
    }

    /// Closes all contexts. Operations that run or wait are done first. Returns why records of some are not stored.
    #[must_use]
    pub async fn close_all(&self) -> Vec<CallError> {
        let closing = self
            .slots
            .all()
            .into_iter()
            .map(|(id, _)| async move { Self::end(&mut *self.lock(&id).await?).await });
        let closed = stream::iter(closing).buffer_unordered(CLOSED_AT_ONCE);
        // One without a slot was closed meanwhile.
        let unsaved = closed
            .filter_map(async |closed| closed.err().filter(|error| error.code != ErrorCode::UnknownContext));
        unsaved.collect().await
    }

    /// Returns true if a context is open, or is being opened or closed.
    #[must_use]
    pub fn is_open(&self, id: &str) -> bool {
        let slot = SessionId::new(id).ok().and_then(|id| self.slots.find(&id));
        slot.is_some_and(|slot| slot.try_lock().map_or(true, |held| held.open().is_some()))
    }

    /// The open contexts, by id.
    #[must_use]
    pub fn list(&self) -> ContextList {
        let contexts = self.slots.all().into_iter().filter_map(|(id, slot)| {
            let state = slot.try_lock().ok().map(|held| held.open().map(OpenContext::state));
            // A slot without a context is being opened or closed, or idle.
            let is_open = state.as_ref().is_none_or(Option::is_some);
            is_open.then(|| ListedContext { context: id.to_string(), state: state.flatten() })
        });
        let mut contexts: Vec<ListedContext> = contexts.collect();
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
        let mut slot = self.lock(&id).await?;
        if let Held::Idle(opening, created) = &*slot {
            let opened = opening.as_ref().clone().run(id.clone(), &self.shared, Some(*created)).await;
            *slot = match opened {
                Ok((context, _)) => Held::Open(Box::new(context)),
                Err(error) if error.code == ErrorCode::UnknownContext => Held::Nothing,
                Err(error) => return Err(error),
            };
        }
        let Held::Open(context) = &mut *slot else { return Err(CallError::unknown_context(&id)) };
        context.is_used = true;
        let outcome = context.run(key, input).await;
        let Some(lost) = context.lost().await else { return outcome };
        if let Held::Open(context) = std::mem::take(&mut *slot) {
            context.release().await;
        }
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

    async fn lock(&self, id: &SessionId) -> Result<LockedSlot, CallError> {
        self.slots.lock(id).await.ok_or_else(|| CallError::unknown_context(id))
    }
}

fn session_id(id: &str) -> Result<SessionId, CallError> {
    SessionId::new(id)
        .map_err(|error| CallError::of(ErrorCode::InvalidInput, &error).with("field", "context"))
}
