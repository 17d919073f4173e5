//! A recorded session whose provider is switched to and fro while it runs.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use throughline_agent::{Agent, ManualClock, NextModel, NullSink, RetryPolicy, Settings};
use throughline_budget::{ScriptAwareEstimator, Threshold};
use throughline_compaction::CompactionPolicy;
use throughline_completion::{
    CacheRules, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo,
};
use throughline_conversation::{ContentBlock, SessionId, View};
use throughline_policies::Policy;
use throughline_prompt::{FixedSections, PromptSection};
use throughline_replay::{RecordedModel, RecordedSession, ReplayClock, read_session, recorded_tools};
use throughline_tools::{CancelFlag, ToolRegistry};
use throughline_wire::gemini::{self, GeminiOptions};
use throughline_wire::openai::OpenAiOptions;
use throughline_wire::{anthropic, ollama, openai_chat, openai_responses, validate};

const SWITCHES: usize = 20;
const WINDOW: u64 = 64_000;
const MAX_OUTPUT: u64 = 4_096;
/// Each with the wires that its requests are judged by.
const PROVIDERS: [&str; 4] = ["anthropic", "openai", "gemini", "ollama"];

/// The recording under a provider's name; each request is judged by that provider's rules.
#[derive(Debug)]
struct Speaker {
    provider: &'static str,
    recorded: Arc<RecordedModel>,
    judged: Arc<Mutex<Vec<&'static str>>>,
}

#[async_trait]
impl LanguageModel for Speaker {
    fn info(&self) -> ModelInfo {
        let cache =
            if self.provider == "anthropic" { CacheRules::anthropic() } else { CacheRules::automatic() };
        let name = format!("{}-model", self.provider);
        ModelInfo {
            provider: self.provider.to_owned(),
            cache,
            ..ModelInfo::with_window(name, WINDOW, MAX_OUTPUT)
        }
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let faults = match self.provider {
            "anthropic" => validate::anthropic(&anthropic::encode(request)),
            "openai" => {
                let mut faults =
                    validate::openai_responses(&openai_responses::encode(request, OpenAiOptions::openai()));
                faults.extend(validate::openai_chat(&openai_chat::encode(request, OpenAiOptions::openai())));
                faults
            }
            "gemini" => {
                let options = GeminiOptions { signed_calls: Some(true), ..GeminiOptions::default() };
                validate::gemini("gemini-3.5-flash", &gemini::encode(request, &options))
            }
            _ => validate::ollama(&ollama::encode(request, WINDOW)),
        };
        assert!(faults.is_empty(), "{}: {faults:?}", self.provider);
        self.judged
            .lock()
            .map_err(|_| ModelError::Interrupted { message: String::new() })?
            .push(self.provider);
        self.recorded.stream(request).await
    }
}

pub(super) fn settings() -> Settings {
    Settings {
        early: Threshold::PercentEffective(60.0),
        compaction: CompactionPolicy::default(),
        retry: RetryPolicy::once(),
        ..Policy::Throughline.settings(WINDOW, MAX_OUTPUT)
    }
}

struct Stage {
    recorded: Arc<RecordedModel>,
    judged: Arc<Mutex<Vec<&'static str>>>,
}

impl Stage {
    fn next(&self, provider: &'static str) -> NextModel {
        let (recorded, judged) = (Arc::clone(&self.recorded), Arc::clone(&self.judged));
        NextModel {
            model: Arc::new(Speaker { provider, recorded, judged }),
            counter: Arc::new(ScriptAwareEstimator),
            settings: settings(),
            summarizer: None,
        }
    }
}

async fn open(session: &RecordedSession, first: NextModel) -> Agent {
    let mut registry = ToolRegistry::new();
    for tool in recorded_tools(session, &Arc::new(ReplayClock::new(false))) {
        registry.register(Arc::new(tool)).unwrap();
    }
    let system = session.system.clone().unwrap_or_else(|| "You work with care.".to_owned());
    let sections = FixedSections::new("recording", [PromptSection::base("recorded", system)]);
    Agent::builder(first.model, first.counter, first.settings)
        .allow_repetition()
        .clock(Arc::new(ManualClock::default()))
        .section(Arc::new(sections))
        .tools(registry)
        .open(SessionId::new("switches").unwrap())
        .await
        .unwrap()
}

/// For every target model: every text is shown; the author of an entry gets it unchanged, others get no call and no result of it.
fn check(view: &View, reader: &str) -> usize {
    let mut native_calls = 0;
    for (shown, native) in view.entries().iter().zip(view.native()) {
        let texts: Vec<&str> = shown.message.texts().collect();
        assert!(native.message.texts().all(|text| texts.contains(&text)), "a text is missing for {reader}");
        let own = native.origin.as_ref().is_none_or(|origin| origin.provider == reader);
        if own {
            assert_eq!(shown.message, native.message, "{reader} does not see its own form");
            native_calls += native.message.tool_calls().count();
        } else {
            let bound = |block: &ContentBlock| {
                matches!(
                    block,
                    ContentBlock::ToolCall(_) | ContentBlock::ToolResult(_) | ContentBlock::Thinking(_)
                )
            };
            assert!(!shown.message.content.iter().any(bound), "{reader} sees a foreign block");
        }
    }
    native_calls
}

async fn run(session: Arc<RecordedSession>) {
    let info = ModelInfo::with_window("recorded", WINDOW, MAX_OUTPUT);
    let recorded = RecordedModel::new(Arc::clone(&session), info, Arc::new(ScriptAwareEstimator), 1.0);
    let stage = Stage { recorded: Arc::new(recorded), judged: Arc::default() };
    let mut agent = open(&session, stage.next("anthropic")).await;
    let turns = session.turns.len();
    let (mut switches, mut native_calls) = (0, 0);
    for (place, turn) in session.turns.iter().enumerate() {
        // Twenty times, spread over the session.
        let due = place * SWITCHES / (turns - 1);
        if due > switches {
            switches += 1;
            let provider = *PROVIDERS.get(switches % PROVIDERS.len()).unwrap();
            agent.switch_model(stage.next(provider), &NullSink, &CancelFlag::new()).await.unwrap();
            native_calls += check(agent.view(), provider);
        }
        stage.recorded.begin_turn(place);
        agent.turn(turn.user.clone(), &NullSink, &CancelFlag::new()).await.unwrap();
    }
    assert_eq!(switches, SWITCHES);
    let judged = stage.judged.lock().unwrap();
    for provider in PROVIDERS {
        assert!(judged.iter().filter(|name| **name == provider).count() > SWITCHES / 4, "{provider}");
    }
    assert!(native_calls > 0, "no provider ever saw its own calls again");
    println!(
        "{}: {turns} turns, {SWITCHES} switches, {} requests valid, {} compactions and switches of form, {native_calls} calls seen in their own form again",
        session.id,
        judged.len(),
        agent.view().epoch()
    );
}

// S4-03 S4-27
#[test]
fn a_real_session_continues_over_twenty_switches_of_the_provider() {
    let Some(files) = super::traces() else { return };
    let sessions = files.iter().map(|file| Arc::new(read_session(file).unwrap()));
    let longest = sessions
        .filter(|session| session.turns.len() > SWITCHES)
        .max_by_key(|session| session.steps().count());
    let session = longest.unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(run(session));
}
