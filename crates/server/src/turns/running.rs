//! The turns that run, and the newest that have ended.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use throughline_continuity::SessionInfo;
use throughline_conversation::{Millis, SessionId};
use throughline_stored::{FolderScope, now};
use throughline_tools::CancelFlag;
use tokio::sync::{Semaphore, watch};

use super::feed::Feed;
use super::order::TurnOptions;
use super::pace::TurnPace;
use super::place::TurnPlace;
use super::questions::Questions;
use crate::answer::Failure;

/// Ended turns that can still be joined, to read how they ended.
const ENDED: usize = 32;

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
    pace: TurnPace,
}

/// One turn.
#[derive(Debug)]
pub(crate) struct RunningTurn {
    pub(crate) feed: Feed,
    pub(crate) cancel: CancelFlag,
    pub(crate) questions: Arc<Questions>,
    /// Not set while a new session is being opened.
    pub(super) session: OnceLock<SessionId>,
    /// When the session was created: another one may have its id later. Not set while it is being opened.
    pub(super) created: OnceLock<Millis>,
    /// The folder that it works in.
    workspace: PathBuf,
}

/// One turn in the list of those that run.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RunningTurn")]
pub(crate) struct ListedTurn {
    /// Null while a new session is being opened.
    session: Option<String>,
    started_ms: i64,
    cancelled: bool,
    /// The open questions.
    questions: Vec<Value>,
}

impl RunningTurn {
    fn is_of(&self, session: &SessionId) -> bool {
        self.session.get() == Some(session)
    }

    /// The session that it works in; `None`: a new one is being opened.
    pub(crate) fn session(&self) -> Option<&SessionId> {
        self.session.get()
    }

    /// When it began.
    pub(crate) fn began(&self) -> Millis {
        Millis(self.feed.turn())
    }

    /// Returns true if it waits for the answer of a person.
    pub(crate) fn is_asking(&self) -> bool {
        !self.questions.open().is_empty()
    }

    /// The refusal of a request for what the turn holds: its session.
    pub(crate) fn holds(&self, session: &SessionId) -> Failure {
        let why = format!(
            "session {session} runs a turn in this server (process {}, turn {}); join it with GET /api/sessions/{session}/events?stream=turn, \
             or end it with POST /api/sessions/{session}/cancel",
            std::process::id(),
            self.feed.turn(),
        );
        Failure::new(StatusCode::CONFLICT, why)
    }

    /// The turn as an object of the list.
    fn listed(&self) -> ListedTurn {
        ListedTurn {
            session: self.session.get().map(ToString::to_string),
            started_ms: self.feed.turn(),
            cancelled: self.cancel.is_cancelled(),
            questions: self.questions.open(),
        }
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
    pub(crate) fn take_place(
        &self,
        session: Option<&SessionId>,
        workspace: PathBuf,
    ) -> Result<TurnPlace, Failure> {
        let mut state = self.state();
        if state.stopping {
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the server is being stopped"));
        }
        if let Some(session) = session
            && let Some(turn) = state.running.values().find(|turn| turn.is_of(session))
        {
            return Err(turn.holds(session));
        }
        let Ok(slot) = Arc::clone(&self.0.slots).try_acquire_owned() else {
            let most = self.0.options.max_turns;
            let why = format!("{most} turns run already, which is the limit of `serve --max-turns`");
            let oldest = state.running.keys().next().copied().unwrap_or_default();
            let wait = state.pace.wait(now().0.saturating_sub(oldest));
            return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, why).retry_after(wait));
        };
        let number = now().0.max(state.last.saturating_add(1));
        state.last = number;
        let turn = Arc::new(RunningTurn {
            feed: Feed::new(number),
            cancel: CancelFlag::new(),
            questions: Arc::default(),
            session: session.map_or_else(OnceLock::new, |session| OnceLock::from(session.clone())),
            created: OnceLock::new(),
            workspace,
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
            state.pace.took(now().0.saturating_sub(turn.feed.turn()));
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
    pub(crate) fn newest(&self, session: &SessionInfo) -> Option<Arc<RunningTurn>> {
        let is_of = |turn: &&Arc<RunningTurn>| {
            turn.is_of(&session.id) && turn.created.get() == Some(&session.created)
        };
        let running = self.running(&session.id);
        running.or_else(|| self.state().ended.iter().find(is_of).cloned())
    }

    /// The turns that run in the folders of a scope, the oldest first.
    pub(crate) fn listed(&self, scope: &FolderScope) -> Vec<ListedTurn> {
        let state = self.state();
        let seen = state.running.values().filter(|turn| scope.contains(&turn.workspace));
        seen.map(|turn| turn.listed()).collect()
    }

    /// Forgets the turns of a session that was deleted. None of them runs.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.state().ended.retain(|turn| !turn.is_of(session));
    }

    /// How many turns run.
    pub(crate) fn count(&self) -> usize {
        self.state().running.len()
    }

    /// Cancels every turn, and begins no other.
    pub(crate) fn stop(&self) {
        let mut state = self.state();
        state.stopping = true;
        state.running.values().for_each(|turn| turn.cancel.cancel());
    }

    /// Waits until every turn is recorded, at most for this time. Returns false if one is not.
    pub(crate) async fn ended(&self, most: Duration) -> bool {
        tokio::time::timeout(most, self.idle()).await.is_ok()
    }

    /// Waits until every turn is recorded.
    pub(crate) async fn idle(&self) {
        // The sender is in this value, so that there is no error.
        let _ = self.0.active.subscribe().wait_for(|active| *active == 0).await;
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
