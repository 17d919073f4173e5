//! The turns that run, and the newest that have ended.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use throughline::now;
use throughline::ports::{CancelFlag, SessionId};
use tokio::sync::{Semaphore, watch};

use super::feed::Feed;
use super::order::TurnOptions;
use super::place::TurnPlace;
use super::questions::Questions;
use crate::answer::Failure;

/// Ended turns that can still be joined, to read how they ended.
const ENDED: usize = 32;

/// Seconds after which a client that was refused should ask again.
const AGAIN: u64 = 5;

/// The turns of a server.
#[derive(Debug, Clone)]
pub(crate) struct Turns(Arc<SharedTurns>);

#[derive(Debug)]
struct SharedTurns {
    options: TurnOptions,
    slots: Arc<Semaphore>,
    state: Mutex<TurnState>,
    /// How many turns have not ended.
    active: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct TurnState {
    stopping: bool,
    /// By their numbers, which are the times when they began.
    running: BTreeMap<i64, Arc<RunningTurn>>,
    /// The newest is at the end.
    ended: VecDeque<Arc<RunningTurn>>,
    /// The number of the newest turn.
    last: i64,
}

/// One turn.
#[derive(Debug)]
pub(crate) struct RunningTurn {
    pub(crate) feed: Feed,
    pub(crate) cancel: CancelFlag,
    pub(crate) questions: Arc<Questions>,
    /// Not set while a new session is being opened.
    pub(super) session: OnceLock<SessionId>,
}

impl RunningTurn {
    fn is_of(&self, session: &SessionId) -> bool {
        self.session.get() == Some(session)
    }

    /// The turn as an object of the list.
    fn object(&self) -> Value {
        json!({
            "session": self.session.get(),
            "started_ms": self.feed.turn(),
            "cancelled": self.cancel.is_cancelled(),
            "questions": self.questions.open(),
        })
    }
}

impl Turns {
    pub(crate) fn new(options: TurnOptions) -> Self {
        let slots = Arc::new(Semaphore::new(options.max_turns));
        let active = watch::channel(0).0;
        Self(Arc::new(SharedTurns { options, slots, state: Mutex::default(), active }))
    }

    /// What the turns have in common.
    pub(crate) fn options(&self) -> &TurnOptions {
        &self.0.options
    }

    /// Takes a place for a turn; `session`: the existing session that it works in.
    ///
    /// # Errors
    /// The server stops, the session already runs a turn here, or too many turns run.
    pub(super) fn take_place(&self, session: Option<&SessionId>) -> Result<TurnPlace, Failure> {
        let mut state = self.state();
        if state.stopping {
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the server is being stopped"));
        }
        if let Some(session) = session
            && state.running.values().any(|turn| turn.is_of(session))
        {
            let why = format!(
                "session {session} runs a turn in this server (process {}); join it with GET /api/sessions/{session}/events?stream=turn, \
                 or end it with POST /api/sessions/{session}/cancel",
                std::process::id()
            );
            return Err(Failure::new(StatusCode::CONFLICT, why));
        }
        let Ok(slot) = Arc::clone(&self.0.slots).try_acquire_owned() else {
            let most = self.0.options.max_turns;
            let why = format!("{most} turns run already, which is the limit of `serve --max-turns`");
            return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, why).retry_after(AGAIN));
        };
        let number = now().0.max(state.last.saturating_add(1));
        state.last = number;
        let turn = Arc::new(RunningTurn {
            feed: Feed::new(number),
            cancel: CancelFlag::new(),
            questions: Arc::default(),
            session: session.map_or_else(OnceLock::new, |session| OnceLock::from(session.clone())),
        });
        state.running.insert(number, Arc::clone(&turn));
        self.0.active.send_modify(|active| *active += 1);
        Ok(TurnPlace::new(self.clone(), turn, slot))
    }

    /// A turn has ended. Its feed can still be read if it has been opened.
    pub(super) fn leave(&self, turn: &Arc<RunningTurn>, was_open: bool) {
        let mut state = self.state();
        state.running.remove(&turn.feed.turn());
        if was_open {
            state.ended.retain(|ended| ended.session.get() != turn.session.get());
            state.ended.push_back(Arc::clone(turn));
            if state.ended.len() > ENDED {
                state.ended.pop_front();
            }
        }
    }

    /// After the last event of a turn.
    pub(super) fn count_end(&self) {
        self.0.active.send_modify(|active| *active = active.saturating_sub(1));
    }

    /// The turn that runs in a session.
    pub(crate) fn running(&self, session: &SessionId) -> Option<Arc<RunningTurn>> {
        self.state().running.values().find(|turn| turn.is_of(session)).cloned()
    }

    /// The turn that runs in a session, else the newest that has ended here.
    pub(crate) fn newest(&self, session: &SessionId) -> Option<Arc<RunningTurn>> {
        let running = self.running(session);
        running.or_else(|| self.state().ended.iter().find(|turn| turn.is_of(session)).cloned())
    }

    /// The turns that run, the oldest first.
    pub(crate) fn objects(&self) -> Vec<Value> {
        self.state().running.values().map(|turn| turn.object()).collect()
    }

    /// Cancels every turn, and begins no other.
    pub(crate) fn stop(&self) {
        let mut state = self.state();
        state.stopping = true;
        state.running.values().for_each(|turn| turn.cancel.cancel());
    }

    /// Waits until every turn is recorded, at most so long.
    pub(crate) async fn ended(&self, most: Duration) {
        let mut active = self.0.active.subscribe();
        let all = active.wait_for(|active| *active == 0);
        if tokio::time::timeout(most, all).await.is_err() {
            tracing::warn!("a turn did not end in time; what it had done so far is in its log");
        }
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
