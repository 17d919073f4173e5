//! The work of a turn, from its opening to its result.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use throughline_continuity::SessionDirectory as _;
use throughline_memory::Scope;
use throughline_session::{RunEnding, RunTally, Session, SessionModels, SessionOptions, check_unattended};
use throughline_stored::{Result, SessionStart, Storage, recorded_model};
use throughline_text::error_chain;
use tokio::sync::oneshot;

use super::approver::FeedUser;
use super::order::TurnOrder;
use super::place::{TurnPlace, failed};
use super::running::{RunningTurn, Turns};
use super::sink::TurnSink;
use crate::answer::Failure;

/// The word that the ids of new sessions begin with.
const ID: &str = "serve";

impl Turns {
    /// Begins a turn, and returns when its session is open. The turn continues when the caller is gone.
    pub(crate) async fn begin(
        &self,
        storage: &Storage,
        order: TurnOrder,
    ) -> Result<Arc<RunningTurn>, Failure> {
        let session = match &order.start {
            SessionStart::Existing(session) => Some(session),
            SessionStart::New | SessionStart::Fork(_) => None,
        };
        let place = self.take_place(session, order.workspace.clone())?;
        let (opened, is_open) = oneshot::channel();
        tokio::spawn(work(place, storage.clone(), order, opened));
        let broken = |_| Failure::broken("the turn ended before its session was open");
        is_open.await.map_err(broken)?
    }
}

async fn work(
    mut place: TurnPlace,
    storage: Storage,
    order: TurnOrder,
    opened: oneshot::Sender<Result<Arc<RunningTurn>, Failure>>,
) {
    let started = Instant::now();
    let turn = Arc::clone(&place.turn);
    let (mut run, notices, tally) = match open(&place, &storage, &order).await {
        Ok(run) => run,
        Err(error) => {
            drop(place);
            // The client is gone.
            let _ = opened.send(Err(error.into()));
            return;
        }
    };
    let session = run.agent.session().clone();
    if let Some(owner) = order.owner.as_deref().filter(|_| order.start.is_new()) {
        // The session is open already: that it has no owner does not end the turn.
        let claimed = storage.store.session_owners().claim(&session, owner).await;
        let _ = claimed.inspect_err(|error| {
            tracing::error!(%session, owner, error = error_chain(error), "a session is stored without its owner");
        });
    }
    if let Ok(Some(info)) = storage.store.sessions().get(&session).await {
        let _ = turn.created.set(info.created);
    }
    let _ = turn.session.set(session);
    place.is_open = true;
    turn.feed.push(&run.object());
    notices.iter().for_each(|text| turn.feed.push(&json!({ "type": "notice", "text": text })));
    let _ = opened.send(Ok(Arc::clone(&turn)));
    let sink = TurnSink::new(turn.feed.clone(), tally);
    let ending = run.turn(order.prompt, &sink, &turn.cancel).await;
    let ending = ending
        .unwrap_or_else(|error| RunEnding { error: Some(error_chain(&error)), ..RunEnding::of("failed") });
    let result = match run.finish(ending, &sink, || sink.tally()).await {
        Ok(result) => result.object(started.elapsed()),
        Err(error) => failed(&error_chain(&error)),
    };
    place.end(&result);
}

/// Opens the session of a turn. The texts are for its user.
async fn open(
    place: &TurnPlace,
    storage: &Storage,
    order: &TurnOrder,
) -> Result<(Session, Vec<String>, RunTally)> {
    let options = place.turns.options();
    let config = Arc::new(options.sources.load(Some(&order.workspace))?);
    check_unattended(&config, &order.workspace, options.run.tools)?;
    let recorded = recorded_model(storage, &order.start).await?;
    let mut run = options.run.clone();
    if let Some(model) = &order.model {
        run.model = run.model.with_model(model);
    }
    let models = SessionModels::connect(&run, &config, recorded.as_ref()).await?;
    let turn = &place.turn;
    let mut opened = throughline_session::open(SessionOptions {
        user: Arc::new(FeedUser::new(turn.feed.clone(), Arc::clone(&turn.questions), options.answer_timeout)),
        start: order.start.clone(),
        id_prefix: ID,
        title: order.prompt.clone().unwrap_or_default(),
        // Users of a server may see a folder and not the project around it.
        memos: Scope::folder(order.workspace.display().to_string()),
        ..SessionOptions::new(Arc::clone(&config), storage.clone(), order.workspace.clone(), models.clone())
    })
    .await?;
    let mut notices = models.notices(&config);
    notices.append(&mut opened.notices);
    let tally = opened.tally()?;
    Ok((opened, notices, tally))
}
