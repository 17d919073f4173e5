//! Runs a recorded session through the real engine.

mod outcome;

use std::sync::Arc;

use throughline_agent::{Agent, Clock, Recount, Settings, StartError, TurnError};
use throughline_completion::ModelInfo;
use throughline_continuity::{
    InMemoryMessageLog, InMemorySnapshotStore, LogError, MessageLog, SnapshotStore,
};
use throughline_conversation::{SessionId, SessionIdError, TokenCounter};
use throughline_prompt::{FixedSections, PromptSection};
use throughline_resultstore::{InMemoryResultRepository, ResultRepository, StoreError};
use throughline_text::cut_end;
use throughline_tools::{RegistryError, ToolRegistry};

use crate::clock::ReplayClock;
use crate::factor::TokenScale;
use crate::model::{RecordedModel, WireCheck};
use crate::overhead::filler;
use crate::readback::read_back;
use crate::recall::SessionNeeds;
use crate::report::SessionReport;
use crate::runner::outcome::SessionRun;
use crate::session::RecordedSession;
use crate::summarizer::ReplaySummarizer;
use crate::tool::recorded_tools;
use crate::watch::Watch;

/// How a session is replayed.
#[derive(Debug, Clone)]
pub struct ReplayOptions {
    /// Window of the model.
    pub window: u64,
    /// Settings of the engine.
    pub settings: Settings,
    /// Name of these settings, for the report.
    pub policy: String,
    /// Counts tokens, for the engine and for the measures.
    pub counter: Arc<dyn TokenCounter>,
    /// Whose tokens the window is in.
    pub scale: TokenScale,
    /// Name of the counter, for the report.
    pub estimator: String,
    /// Tokens of system prompt and tool schemas. If the recording has less, a placeholder fills the rest.
    pub overhead: u64,
    /// A provider's rules to check each request.
    pub check: Option<Arc<dyn WireCheck>>,
    /// Whether the recorded times are replayed; without them the engine sees no pauses.
    pub clock: bool,
    /// Storage of the replayed session.
    pub stores: Stores,
    /// Name of the replayed session; `None` takes the recording's own name.
    pub session: Option<SessionId>,
}

/// Storage of a replayed session; in memory by default.
#[derive(Debug, Clone)]
pub struct Stores {
    /// The log.
    pub log: Arc<dyn MessageLog>,
    /// Snapshots.
    pub snapshots: Arc<dyn SnapshotStore>,
    /// Results.
    pub results: Arc<dyn ResultRepository>,
}

impl Default for Stores {
    fn default() -> Self {
        Self {
            log: Arc::new(InMemoryMessageLog::default()),
            snapshots: Arc::new(InMemorySnapshotStore::default()),
            results: Arc::new(InMemoryResultRepository::default()),
        }
    }
}

/// Why a session could not be replayed at all. A failed turn is not such an error; the report lists it.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The engine did not start.
    #[error("could not start the engine")]
    Start(#[from] StartError),
    /// A tool of the recording cannot be offered.
    #[error("could not offer the tools of the recording")]
    Tools(#[from] RegistryError),
    /// The recording's name is not a session id.
    #[error("could not name the session")]
    Name(#[from] SessionIdError),
    /// The log of the replay could not be read.
    #[error("could not read the log of the replay")]
    Log(#[from] LogError),
    /// The results of the replay could not be read.
    #[error("could not read the results of the replay")]
    Results(#[from] StoreError),
}

/// Runs a session through the engine, turn by turn.
///
/// # Errors
/// [`ReplayError`] when it cannot start, or its own stores fail.
pub async fn replay(
    session: &Arc<RecordedSession>,
    options: &ReplayOptions,
) -> Result<SessionReport, ReplayError> {
    replay_needing(session, SessionNeeds::of(session), options).await
}

/// The same, where it is known what the answers use.
///
/// # Errors
/// As for [`replay`].
pub async fn replay_needing(
    session: &Arc<RecordedSession>,
    needs: SessionNeeds,
    options: &ReplayOptions,
) -> Result<SessionReport, ReplayError> {
    let counter = Arc::clone(&options.counter);
    let learnt = options.scale.factor(session, counter.as_ref());
    let name = session.model.as_deref().unwrap_or("recorded");
    let info = ModelInfo::with_window(name, options.window, options.settings.max_output_tokens);
    let mut model = RecordedModel::needing(Arc::clone(session), needs, info, Arc::clone(&counter), learnt);
    if let Some(check) = &options.check {
        model = model.checked_by(Arc::clone(check));
    }
    let clock = Arc::new(ReplayClock::new(options.clock));
    model = model.timed_by(Arc::clone(&clock));
    let model = Arc::new(model);
    let id = options.session.clone().map_or_else(|| session_id(&session.id), Ok)?;
    let mut agent = agent(session, options, &model, &clock, id.clone()).await?;
    let watch = Watch::new(Arc::clone(&model));
    let failures = run(&mut agent, session, &model, &clock, &watch).await;
    let epochs = agent.view().epoch();
    agent.close(&watch).await;
    let seen = watch.seen();
    let found = read_back(session, &id, &seen.stored, &options.stores).await?;
    let run = SessionRun { failures, epochs, seen, found, measured: model.measured() };
    Ok(run.report(session, options, learnt))
}

async fn agent(
    session: &RecordedSession,
    options: &ReplayOptions,
    model: &Arc<RecordedModel>,
    clock: &Arc<ReplayClock>,
    id: SessionId,
) -> Result<Agent, ReplayError> {
    let mut registry = ToolRegistry::new();
    for tool in recorded_tools(session, clock) {
        registry.register(Arc::new(tool))?;
    }
    let counter = Arc::clone(&options.counter);
    let tools = registry.definitions().iter().map(|tool| counter.tool(tool)).sum::<u64>();
    let mut sections = Vec::new();
    let mut have = tools;
    if let Some(system) = &session.system {
        have = have.saturating_add(counter.text(system));
        sections.push(PromptSection::base("recorded", system.clone()));
    }
    let placeholder = filler(options.overhead.saturating_sub(have), counter.as_ref());
    if !placeholder.is_empty() {
        sections.push(PromptSection::base("placeholder", placeholder));
    }
    let summarizer = Arc::new(ReplaySummarizer::new(Arc::clone(model)));
    let model: Arc<RecordedModel> = Arc::clone(model);
    // A recording cannot answer a request that only counts tokens.
    let settings = Settings { recount: Recount::Off, ..options.settings.clone() };
    let builder = Agent::builder(model, counter, settings)
        .summarizer(summarizer)
        // What was recorded is run, repeated or not.
        .allow_repetition()
        .clock(Arc::clone(clock) as Arc<dyn Clock>)
        .log(Arc::clone(&options.stores.log))
        .snapshots(Arc::clone(&options.stores.snapshots))
        .results(Arc::clone(&options.stores.results))
        .section(Arc::new(FixedSections::new("recording", sections)))
        .tools(registry);
    Ok(builder.open(id).await?)
}

/// Runs every turn. Returns the errors of the failed ones.
async fn run(
    agent: &mut Agent,
    session: &RecordedSession,
    model: &RecordedModel,
    clock: &ReplayClock,
    watch: &Watch,
) -> Vec<TurnError> {
    let mut failures = Vec::new();
    for (place, turn) in session.turns.iter().enumerate() {
        model.begin_turn(place);
        clock.advance_to(turn.steps.first().and_then(|step| step.asked_at));
        let cancel = watch.next_turn();
        if let Err(error) = agent.turn(turn.user.clone(), watch, &cancel).await {
            tracing::warn!(turn = place, %error, "a turn of the recording failed");
            failures.push(error);
        }
    }
    failures
}

/// Converts the recording's name to a session id.
fn session_id(name: &str) -> Result<SessionId, SessionIdError> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    SessionId::new(cut_end(&name, 64))
}

#[cfg(test)]
mod tests;
