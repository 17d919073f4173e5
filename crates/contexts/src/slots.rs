//! The contexts by id, each in a slot that one operation has at a time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_conversation::Millis;
use throughline_engine::SessionId;
use tokio::sync::OwnedMutexGuard;

use crate::context::OpenContext;
use crate::open::Open;

/// What is known of a context.
#[derive(Default)]
pub(crate) enum Held {
    /// Nothing: it is being opened, or it was closed. An unlocked slot of the map never has it.
    #[default]
    Nothing,
    /// It is open.
    Open(Box<OpenContext>),
    /// It was closed because it was not used. The next operation opens it again with this, if the session that was created then is
    /// still there.
    Idle(Box<Open>, Millis),
}

impl Held {
    pub(crate) fn open(&self) -> Option<&OpenContext> {
        match self {
            Self::Open(context) => Some(context),
            Self::Nothing | Self::Idle(..) => None,
        }
    }
}

pub(crate) type Slot = Arc<tokio::sync::Mutex<Held>>;

/// The slots by id. A clone is another handle of the same ones.
#[derive(Clone, Default)]
pub(crate) struct Slots(Arc<Mutex<HashMap<SessionId, Slot>>>);

impl Slots {
    /// Waits for the slot of a context. `None`: it is not open, or was removed meanwhile.
    pub(crate) async fn lock(&self, id: &SessionId) -> Option<LockedSlot> {
        loop {
            let slot = self.find(id)?;
            // What was removed and made again while this waited is another slot.
            if let Some(locked) = self.locked(id, slot.lock_owned().await) {
                return Some(locked);
            }
        }
    }

    /// Waits for the slot of a context, and makes a missing one.
    pub(crate) async fn lock_or_make(&self, id: &SessionId) -> LockedSlot {
        loop {
            let known = match self.map().entry(id.clone()) {
                Entry::Occupied(known) => Arc::clone(known.get()),
                Entry::Vacant(new) => {
                    let slot = Slot::default();
                    // It is locked before others see it: a caller that gives up leaves no empty one.
                    if let Ok(held) = Arc::clone(&slot).try_lock_owned() {
                        new.insert(slot);
                        return LockedSlot { slots: self.clone(), id: id.clone(), held };
                    }
                    slot
                }
            };
            if let Some(locked) = self.locked(id, known.lock_owned().await) {
                return locked;
            }
        }
    }

    /// The slot of a context.
    pub(crate) fn find(&self, id: &SessionId) -> Option<Slot> {
        self.map().get(id).map(Arc::clone)
    }

    /// All slots with their ids.
    pub(crate) fn all(&self) -> Vec<(SessionId, Slot)> {
        self.map().iter().map(|(id, slot)| (id.clone(), Arc::clone(slot))).collect()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.map().len()
    }

    /// Removes a slot whose context is closed because it was not used.
    pub(crate) fn remove_idle(&self, id: &SessionId) {
        let mut slots = self.map();
        let is_idle = |slot: &Slot| slot.try_lock().is_ok_and(|held| matches!(*held, Held::Idle(..)));
        if slots.get(id).is_some_and(is_idle) {
            slots.remove(id);
        }
    }

    /// A slot that is locked, unless it is in the map no more.
    fn locked(&self, id: &SessionId, held: OwnedMutexGuard<Held>) -> Option<LockedSlot> {
        let known = self.find(id)?;
        Arc::ptr_eq(&known, OwnedMutexGuard::mutex(&held)).then(|| LockedSlot {
            slots: self.clone(),
            id: id.clone(),
            held,
        })
    }

    /// Recovers a poisoned lock: no panic can leave the map half written.
    fn map(&self) -> MutexGuard<'_, HashMap<SessionId, Slot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot that one operation has. If it has no context when it is dropped, the map loses it: also when the caller's future is
/// dropped before the context is open.
pub(crate) struct LockedSlot {
    slots: Slots,
    id: SessionId,
    held: OwnedMutexGuard<Held>,
}

impl Deref for LockedSlot {
    type Target = Held;

    fn deref(&self) -> &Held {
        &self.held
    }
}

impl DerefMut for LockedSlot {
    fn deref_mut(&mut self) -> &mut Held {
        &mut self.held
    }
}

impl Drop for LockedSlot {
    fn drop(&mut self) {
        if matches!(*self.held, Held::Nothing) {
            self.slots.map().remove(&self.id);
        }
    }
}
