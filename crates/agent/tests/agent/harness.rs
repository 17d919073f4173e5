//! An agent with everything in memory, a scripted model, and tools that answer what a test wants.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use serde_json::json;
use throughline_agent::{
    Agent, AgentBuilder, Event, ManualClock, NextModel, RetryPolicy, Settings, TurnError, TurnOutcome,
};
use throughline_budget::Threshold;
use throughline_compaction::CompactionPolicy;
use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply,
    ScriptedModel,
};
use throughline_continuity::{InMemoryMessageLog, InMemorySnapshotStore};
use throughline_conversation::{
    ContentBlock, Message, SessionId, ToolCall, ToolDefinition, ToolOrigin, Usage,
};
use throughline_policies::Policy;
use throughline_prompt::{FixedSections, PromptSection};
use throughline_resultstore::{InMemoryResultRepository, OffloadPolicy};
use throughline_summarizer::{ModelSummarizer, SummarizerSettings};
use throughline_testkit::WordCounter;
use throughline_tools::{CancelFlag, Tool, ToolContext, ToolOutput, ToolRegistry};

/// Ports that a test looks into, or makes fail.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) log: Arc<InMemoryMessageLog>,
    pub(crate) snapshots: Arc<InMemorySnapshotStore>,
    pub(crate) results: Arc<InMemoryResultRepository>,
    pub(crate) settings: Settings,
    pub(crate) tools: Vec<Arc<dyn Tool>>,
}

pub(crate) fn session() -> SessionId {
    SessionId::new("test").unwrap()
}

/// Settings of a window in words. The seeds' thresholds: note at 80, compact at 95, block at 98 percent.
pub(crate) fn settings(window: u64) -> Settings {
    Settings {
        early: Threshold::Off,
        offload: OffloadPolicy::seed(),
        compaction: CompactionPolicy::default(),
        max_requests: Some(200),
        retry: RetryPolicy {
            attempts: 3,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(2),
            ..RetryPolicy::default()
        },
        ..Policy::Throughline.settings(window, window / 10)
    }
}

/// A summarizer that asks this model, with the default settings.
pub(crate) fn summarizer(model: Arc<dyn LanguageModel>) -> Arc<ModelSummarizer> {
    Arc::new(ModelSummarizer::new(model, SummarizerSettings::default()))
}

impl World {
    pub(crate) fn new(window: u64, replies: impl IntoIterator<Item = Reply>) -> Self {
        let info = ModelInfo::with_window("scripted", window, window / 10);
        Self {
            model: Arc::new(ScriptedModel::new(info, Box::new(WordCounter), replies).recording()),
            log: Arc::new(InMemoryMessageLog::default()),
            snapshots: Arc::new(InMemorySnapshotStore::default()),
            results: Arc::new(InMemoryResultRepository::default()),
            settings: settings(window),
            tools: vec![Arc::new(Echo)],
        }
    }

    pub(crate) fn builder(&self) -> AgentBuilder {
        self.builder_for(self.model.clone(), self.settings.clone())
    }

    /// The same script under another name, with a window of its own.
    pub(crate) fn next(&self, provider: &str, name: &str, window: u64) -> NextModel {
        let info =
            ModelInfo { provider: provider.to_owned(), ..ModelInfo::with_window(name, window, window / 10) };
        let model = Arc::new(Renamed { info, script: self.model.clone() });
        NextModel { model, counter: Arc::new(WordCounter), settings: settings(window), summarizer: None }
    }

    pub(crate) fn builder_for(&self, model: Arc<dyn LanguageModel>, settings: Settings) -> AgentBuilder {
        let mut registry = ToolRegistry::new();
        for tool in &self.tools {
            registry.register(Arc::clone(tool)).unwrap();
        }
        let rules = PromptSection::base("rules", "Work with care.");
        Agent::builder(model, Arc::new(WordCounter), settings)
            .clock(Arc::new(ManualClock::default()))
            // Scripts say the same thing again and again.
            .allow_repetition()
            .log(self.log.clone())
            .snapshots(self.snapshots.clone())
            .results(self.results.clone())
            .tools(registry)
            .section(Arc::new(FixedSections::new("rules", [rules])))
    }

    pub(crate) async fn agent(&self) -> Agent {
        self.builder().open(session()).await.unwrap()
    }
}

/// The world's script, played by a model of another name.
#[derive(Debug)]
struct Renamed {
    info: ModelInfo,
    script: Arc<ScriptedModel>,
}

#[async_trait]
impl LanguageModel for Renamed {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let stream = self.script.stream(request).await?;
        Ok(if self.info.provider == "openai" { stream.map(counted_larger).boxed() } else { stream })
    }
}

/// A provider whose tokens are smaller than those of the counter.
fn counted_larger(event: Result<CompletionEvent, ModelError>) -> Result<CompletionEvent, ModelError> {
    let larger = |tokens: u64| tokens * 13 / 10;
    match event {
        Ok(CompletionEvent::Usage(usage)) => Ok(CompletionEvent::Usage(Usage {
            input: larger(usage.input),
            cache_read: larger(usage.cache_read),
            cache_write: larger(usage.cache_write),
            output: larger(usage.output),
            searches: 0,
        })),
        other => other,
    }
}

/// Events of one or more turns.
#[derive(Debug, Default)]
pub(crate) struct Events(Mutex<Vec<Event>>);

impl Events {
    pub(crate) fn all(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }
}

impl throughline_agent::EventSink for Events {
    fn emit(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

/// One turn, with its events.
pub(crate) async fn turn(agent: &mut Agent, text: &str) -> (Result<TurnOutcome, TurnError>, Vec<Event>) {
    let events = Events::default();
    let outcome = agent.turn(Message::user(text), &events, &CancelFlag::new()).await;
    (outcome, events.all())
}

pub(crate) fn echo(id: &str, words: usize) -> ContentBlock {
    let input = json!({ "words": words });
    ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: "echo".to_owned(), input })
}

pub(crate) fn text(text: &str) -> ContentBlock {
    ContentBlock::Text { text: text.to_owned() }
}

/// Answers with the requested number of words, each different; fails when it is zero.
#[derive(Debug)]
pub(crate) struct Echo;

#[async_trait]
impl Tool for Echo {
    fn definition(&self) -> ToolDefinition {
        tool("echo", ToolOrigin::Builtin)
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        match call.input.get("words").and_then(serde_json::Value::as_u64) {
            Some(0) | None => ToolOutput::error("no words were asked for"),
            Some(words) => {
                let lines: Vec<String> = (0..words).map(|word| format!("{}_{word}", call.id)).collect();
                ToolOutput::text(lines.chunks(8).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

pub(crate) fn tool(name: &str, origin: ToolOrigin) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: format!("Does {name}."),
        input_schema: json!({ "type": "object" }),
        origin,
    }
}
