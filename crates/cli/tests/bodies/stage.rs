//! One script, spoken by models of several providers, and the requests that they got.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_agent::{Agent, AgentBuilder, ManualClock, NextModel, RetryPolicy, Settings, TurnError};
use throughline_budget::Threshold;
use throughline_compaction::CompactionPolicy;
use throughline_completion::{
    CacheRules, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply, ScriptedModel,
};
use throughline_continuity::{InMemoryMessageLog, InMemorySnapshotStore};
use throughline_conversation::{
    ContentBlock, ForeignTools, SessionId, Thinking, ToolCall, ToolDefinition, ToolOrigin,
};
use throughline_policies::Policy;
use throughline_prompt::{FixedSections, PromptSection};
use throughline_resultstore::{InMemoryResultRepository, OffloadPolicy};
use throughline_summarizer::{ModelSummarizer, SummarizerSettings};
use throughline_testkit::WordCounter;
use throughline_tools::{Tool, ToolContext, ToolOutput, ToolRegistry};

/// Providers that a session is switched between.
pub(crate) const PROVIDERS: [&str; 5] = ["anthropic", "openai", "compatible", "gemini", "ollama"];

/// Everything that outlives an agent.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    window: u64,
    script: Arc<ScriptedModel>,
    sent: Arc<Mutex<Vec<(usize, CompletionRequest)>>>,
    summaries: Arc<Mutex<Vec<CompletionRequest>>>,
    log: Arc<InMemoryMessageLog>,
    snapshots: Arc<InMemorySnapshotStore>,
    results: Arc<InMemoryResultRepository>,
}

impl Stage {
    pub(crate) fn new(window: u64) -> Self {
        let info = ModelInfo::with_window("script", window, window / 10);
        Self {
            window,
            script: Arc::new(ScriptedModel::new(info, Box::new(WordCounter), [])),
            sent: Arc::default(),
            summaries: Arc::default(),
            log: Arc::default(),
            snapshots: Arc::default(),
            results: Arc::default(),
        }
    }

    pub(crate) fn script(&self) -> &ScriptedModel {
        &self.script
    }

    /// Requests in order, each with the provider that got it.
    pub(crate) fn sent(&self) -> Vec<(usize, CompletionRequest)> {
        self.sent.lock().unwrap().clone()
    }

    /// Requests for a summary, in order.
    pub(crate) fn summaries(&self) -> Vec<CompletionRequest> {
        self.summaries.lock().unwrap().clone()
    }

    pub(crate) fn next(&self, provider: usize, foreign: ForeignTools) -> NextModel {
        NextModel {
            model: self.model(provider),
            counter: Arc::new(WordCounter),
            settings: self.settings(foreign),
            summarizer: Some(Arc::new(ModelSummarizer::new(
                self.model(provider),
                SummarizerSettings::default(),
            ))),
        }
    }

    pub(crate) async fn open(&self, provider: usize, foreign: ForeignTools) -> Agent {
        self.builder(provider, foreign).open(SessionId::new("laws").unwrap()).await.unwrap()
    }

    fn builder(&self, provider: usize, foreign: ForeignTools) -> AgentBuilder {
        let mut registry = ToolRegistry::new();
        registry.register(Arc::new(Echo)).unwrap();
        let rules = PromptSection::base("rules", "Work with care.");
        Agent::builder(self.model(provider), Arc::new(WordCounter), self.settings(foreign))
            .allow_repetition()
            .summarizer(Arc::new(ModelSummarizer::new(self.model(provider), SummarizerSettings::default())))
            .clock(Arc::new(ManualClock::default()))
            .log(self.log.clone())
            .snapshots(self.snapshots.clone())
            .results(self.results.clone())
            .tools(registry)
            .section(Arc::new(FixedSections::new("rules", [rules])))
    }

    fn model(&self, provider: usize) -> Arc<dyn LanguageModel> {
        let name = PROVIDERS.get(provider).copied().unwrap_or_default();
        let cache = if name == "anthropic" { CacheRules::anthropic() } else { CacheRules::automatic() };
        let info = ModelInfo {
            provider: name.to_owned(),
            cache,
            ..ModelInfo::with_window(format!("{name}-model"), self.window, self.window / 10)
        };
        Arc::new(Speaker {
            provider,
            info,
            script: self.script.clone(),
            sent: self.sent.clone(),
            summaries: self.summaries.clone(),
        })
    }

    fn settings(&self, foreign: ForeignTools) -> Settings {
        Settings {
            early: Threshold::Off,
            offload: OffloadPolicy::seed(),
            compaction: CompactionPolicy::default(),
            max_requests: Some(100),
            retry: RetryPolicy::once(),
            foreign,
            ..Policy::Throughline.settings(self.window, self.window / 10)
        }
    }
}

/// The script under a provider's name.
#[derive(Debug)]
struct Speaker {
    provider: usize,
    info: ModelInfo,
    script: Arc<ScriptedModel>,
    sent: Arc<Mutex<Vec<(usize, CompletionRequest)>>>,
    summaries: Arc<Mutex<Vec<CompletionRequest>>>,
}

/// Returns true if a request asks for a summary: its last text is the instruction.
fn asks_for_summary(request: &CompletionRequest) -> bool {
    let last = request.transcript.messages().last().map(throughline_conversation::Message::text);
    request
        .tail
        .last()
        .or(last.as_ref())
        .is_some_and(|text| text.contains("Write the notes that take their place"))
}

#[async_trait]
impl LanguageModel for Speaker {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        if asks_for_summary(request) {
            self.summaries.lock().unwrap().push(request.clone());
            let notes = Reply::text("### Now\nThe work.\n### Done\nNothing yet.");
            let one = ScriptedModel::new(self.info.clone(), Box::new(WordCounter), [notes]);
            return one.stream(request).await;
        }
        self.sent.lock().unwrap().push((self.provider, request.clone()));
        self.script.stream(request).await
    }
}

/// A step that calls the tool so often, for this many words, with thinking in front.
pub(crate) fn step(first_id: usize, sizes: &[usize], thinks: bool) -> Reply {
    let mut blocks = Vec::new();
    if thinks {
        blocks.push(ContentBlock::Thinking(Thinking {
            text: "Let me see.".to_owned(),
            signature: Some(format!("sig-{first_id}")),
            redacted: first_id.is_multiple_of(3).then(|| "b3BhcXVl".to_owned()),
        }));
    }
    for (index, words) in sizes.iter().enumerate() {
        let id = format!("call.{}", first_id + index);
        let input = json!({ "words": words });
        blocks.push(ContentBlock::ToolCall(ToolCall { id, name: "echo".to_owned(), input }));
    }
    Reply::Say(blocks)
}

/// Answers with the requested number of words.
#[derive(Debug)]
struct Echo;

#[async_trait]
impl Tool for Echo {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "echo".to_owned(),
            description: "Says words.".to_owned(),
            input_schema: json!({ "type": "object", "properties": { "words": { "type": "integer" } } }),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        match call.input.get("words").and_then(Value::as_u64) {
            Some(0) | None => ToolOutput::error("no words were asked for"),
            Some(words) => {
                let words: Vec<String> = (0..words).map(|word| format!("{}_{word}", call.id)).collect();
                ToolOutput::text(words.chunks(8).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

/// Returns true if a turn failed for lack of room, which is reported and changes no law.
pub(crate) fn is_want_of_room(error: &TurnError) -> bool {
    matches!(error, TurnError::DoesNotFit { .. } | TurnError::Model(ModelError::Overflow { .. }))
}
