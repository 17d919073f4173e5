//! Going on with another model in the middle of a session.

use std::sync::Arc;

use throughline_budget::{LadderError, Limits, Meter};
use throughline_compaction::{Compactor, Goal, Summarizer};
use throughline_completion::{LanguageModel, ModelInfo};
use throughline_conversation::{
    Components, EditReason, ModelRecord, Origin, Reader, RecordBody, TokenCounter,
};
use throughline_prompt::BreakpointPlanner;
use throughline_text::error_chain;
use throughline_tools::CancelFlag;

use crate::engine::{Engine, Wire, tokens_of};
use crate::keeping::Keeping;
use crate::{Agent, CompactError, Event, EventSink, Settings, compacting, input};

/// Another model, and what belongs to it.
#[derive(Debug, Clone)]
pub struct NextModel {
    /// The model.
    pub model: Arc<dyn LanguageModel>,
    /// How its tokens are counted.
    pub counter: Arc<dyn TokenCounter>,
    /// Policies and limits from here on, for its window. What is stored out of the window and which tools are held
    /// back stays as it was when the session was opened.
    pub settings: Settings,
    /// Who writes summaries from here on.
    pub summarizer: Option<Arc<dyn Summarizer>>,
}

/// Why a session does not go on with another model.
#[derive(Debug, thiserror::Error)]
pub enum SwitchError {
    /// The thresholds contradict the new window.
    #[error(transparent)]
    Limits(#[from] LadderError),
    /// The user stopped the compaction before it.
    #[error("stopped before the switch")]
    Stopped,
}

impl Agent {
    /// Goes on with another model. Nobody can stop it; see [`Agent::switch_model_with`].
    ///
    /// # Errors
    /// [`SwitchError::Limits`].
    pub async fn switch_model(&mut self, next: NextModel, sink: &dyn EventSink) -> Result<(), SwitchError> {
        self.switch_model_with(next, sink, &CancelFlag::default()).await
    }

    /// Goes on with another model.
    ///
    /// When the session does not fit the new window, it is compacted first, by the model that is here still. Messages
    /// of another provider are shown to the new one as text; their own form is kept in the log and is there again
    /// after a switch back. It can be stopped while the summary is written.
    ///
    /// # Errors
    /// [`SwitchError`]; then the model is the one that it was, and nothing is compacted.
    pub async fn switch_model_with(
        &mut self,
        next: NextModel,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<(), SwitchError> {
        let wire = Wire { sink, cancel };
        let engine = &mut self.engine;
        let ready = prepare(engine, &wire, &next).await?;
        let stopped = matches!(ready.shrunk, Err(CompactError::Stopped));
        if stopped {
            engine.decide("switch", format!("{} stays", engine.origin()), "the user stopped the switch");
        } else {
            carry_out(engine, &wire, (next, ready), "the user asked for it");
        }
        engine.flush(&wire).await;
        if stopped { Err(SwitchError::Stopped) } else { Ok(()) }
    }

    /// The model that answers now.
    #[must_use]
    pub fn model(&self) -> &ModelInfo {
        &self.engine.parts.info
    }
}

pub(crate) async fn switch(
    engine: &mut Engine,
    wire: &Wire<'_>,
    next: NextModel,
    why: &str,
) -> Result<(), LadderError> {
    let ready = prepare(engine, wire, &next).await?;
    carry_out(engine, wire, (next, ready), why);
    Ok(())
}

/// What the next model is and has, and whether the session could be made to fit it.
struct Ready {
    info: ModelInfo,
    window: u64,
    limits: Limits,
    shrunk: Result<(), CompactError>,
}

async fn prepare(engine: &mut Engine, wire: &Wire<'_>, next: &NextModel) -> Result<Ready, LadderError> {
    // Calls that are open belong to the model that made them.
    input::seal(engine, wire);
    let info = next.model.info();
    let learnt = engine.learnt.get(&info.origin().to_string()).copied();
    let (window, limits) = window_of(&info, &next.settings, learnt)?;
    let smaller = limits.effective_window < engine.limits.effective_window;
    let shrunk = if smaller && !fits(engine, next, &info, &limits) {
        shrink(engine, wire, window, limits).await
    } else {
        Ok(())
    };
    Ok(Ready { info, window, limits, shrunk })
}

fn carry_out(engine: &mut Engine, wire: &Wire<'_>, (next, ready): (NextModel, Ready), why: &str) {
    let Ready { info, window, limits, shrunk } = ready;
    if let Err(error) = shrunk {
        // The next request compacts by force if it has to.
        let why = error_chain(&error);
        engine.decide("switch", "not compacted before the switch", why.clone());
        wire.sink.emit(Event::NotCompacted { why });
    }
    let (from, to) = (engine.origin(), info.origin());
    adopt(engine, next, info, window, limits);
    engine.record_model();
    engine.decide("switch", format!("{to} goes on after {from}"), why);
    wire.sink.emit(Event::Switched { from: from.to_string(), to: to.to_string(), why: why.to_owned() });
}

/// The window of a model and the thresholds in it. A limit that a provider's error has taught counts.
pub(crate) fn window_of(
    info: &ModelInfo,
    settings: &Settings,
    learnt: Option<u64>,
) -> Result<(u64, Limits), LadderError> {
    let own = settings.window.map_or(info.window, |own| own.min(info.window));
    if let Some(learnt) = learnt.filter(|learnt| *learnt < own)
        && let Ok(limits) = settings
            .ladder
            .within(learnt, settings.max_output_tokens)
            .limits(learnt, settings.max_output_tokens)
    {
        return Ok((learnt, limits));
    }
    Ok((own, settings.ladder.limits(own, settings.max_output_tokens)?))
}

/// Whether the session, in the form and by the count of the next model, is below the level at which it would have
/// to be compacted there.
fn fits(engine: &Engine, next: &NextModel, info: &ModelInfo, limits: &Limits) -> bool {
    let counter = next.counter.as_ref();
    let to = info.origin();
    let key = to.to_string();
    let reader = Reader { origin: Arc::new(to), foreign: next.settings.foreign };
    let conversation = engine.view.seen_by(reader, counter).tokens();
    let documents = Keeping::note(engine.view.documents());
    let sections = engine.system.iter().map(|section| &section.text);
    let system = tokens_of(counter, sections.chain(&documents));
    let tools = engine.tools.iter().map(|tool| counter.tool(tool)).sum();
    let raw = Components { system, skills: 0, tools, conversation };
    let upper = engine.meters.get(&key).cloned().unwrap_or_default().measure(raw).upper;
    let level = limits.compact.or(limits.block).unwrap_or(limits.effective_window);
    upper < level
}

/// Compacts with the model that is here still: it knows the conversation and its cache is warm.
async fn shrink(
    engine: &mut Engine,
    wire: &Wire<'_>,
    window: u64,
    limits: Limits,
) -> Result<(), CompactError> {
    let before = (engine.window, engine.limits);
    (engine.window, engine.limits) = (window, limits);
    let compacted = compacting::attempt(engine, wire, EditReason::Switch, Goal::Deep).await;
    (engine.window, engine.limits) = before;
    compacted.map(drop)
}

fn adopt(engine: &mut Engine, next: NextModel, info: ModelInfo, window: u64, limits: Limits) {
    let mut old = std::mem::replace(&mut engine.meter, Meter::new());
    old.drop_anchor();
    engine.meters.insert(engine.origin().to_string(), old);
    if let Some(known) = engine.meters.remove(&info.origin().to_string()) {
        engine.meter = known;
    }
    let NextModel { model, counter, settings, summarizer } = next;
    engine.parts.model = model;
    engine.parts.info = info;
    engine.parts.compactor = Compactor::new(settings.compaction.clone(), summarizer);
    engine.parts.settings = settings;
    engine.parts.counter = Arc::clone(&counter);
    (engine.window, engine.limits) = (window, limits);
    engine.view = engine.view.recounted(counter.as_ref());
    engine.restore_system(Arc::clone(&engine.system));
    engine.count_documents();
    engine.tools_tokens = engine.tools.iter().map(|tool| counter.tool(tool)).sum();
    // Nothing of the old model's cache is of use to this one.
    engine.planner = BreakpointPlanner::new();
    engine.predictor.forget();
    engine.switches += 1;
}

impl Engine {
    /// Who answers now.
    pub(crate) fn origin(&self) -> Origin {
        self.parts.info.origin()
    }

    /// Records who answers from here on, and takes it into the view.
    pub(crate) fn record_model(&mut self) {
        let record = ModelRecord {
            origin: Arc::new(self.origin()),
            window: self.parts.info.window,
            learnt: self.learnt.clone(),
            foreign: self.parts.settings.foreign,
        };
        let epoch = self.view.epoch();
        // It cannot fail: the record is the next one, and a change of reader fits any view.
        let _ = self.append(RecordBody::Model(record));
        if self.view.epoch() != epoch {
            self.meter.drop_anchor();
        }
    }
}
