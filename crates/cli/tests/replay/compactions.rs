//! The longest recorded session, compacted twenty times in a row: what a summary has to carry is in every request after.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use throughline_agent::{Agent, ManualClock, NullSink, Settings};
use throughline_budget::ScriptAwareEstimator;
use throughline_compaction::{CompactionPolicy, TargetSize};
use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo,
};
use throughline_conversation::{ContentBlock, EntryKind, SessionId, TokenCounter};
use throughline_documents::DocumentCaps;
use throughline_ledger::{Ledger, also_changed};
use throughline_prompt::{FixedSections, PromptSection};
use throughline_replay::{RecordedModel, RecordedSession, ReplayClock, read_session, recorded_tools};
use throughline_tools::{CancelFlag, ToolRegistry};

const COMPACTIONS: usize = 20;
const WINDOW: u64 = 100_000;
const MAX_OUTPUT: u64 = 4_096;

const RULES: &str = "Project rules: every public item is documented, and tests come first.";
const STATE: &str = "### STATE\nGoal: carry everything over\nContext: twenty compactions\nResolved: none yet\n\
    Technical Anchors: port 48231";
const PLAN: &str = "SCRATCHPAD:## Current Plan\n1. [x] Begin\n2. [ ] Compare the anchors of step 7741";

/// The recording; its first answer writes the documents, too.
#[derive(Debug)]
struct Writing {
    recorded: RecordedModel,
    requests: Mutex<Vec<CompletionRequest>>,
}

#[async_trait]
impl LanguageModel for Writing {
    fn info(&self) -> ModelInfo {
        self.recorded.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        assert_eq!(request.faults(), []);
        let mut events: Vec<_> = self.recorded.stream(request).await?.collect().await;
        let mut requests = self.requests.lock().unwrap();
        if requests.is_empty() {
            let said = |event: &Result<CompletionEvent, ModelError>| {
                !matches!(event, Ok(CompletionEvent::Block(ContentBlock::Thinking(_))))
            };
            let at = events.iter().position(said).unwrap();
            let text = format!("{PLAN}\n\n{STATE}\n\n---\n");
            events.insert(at, Ok(CompletionEvent::Block(ContentBlock::Text { text })));
        }
        requests.push(request.clone());
        Ok(stream::iter(events).boxed())
    }
}

/// As the policy that is used when none is named.
fn settings() -> Settings {
    let compaction = CompactionPolicy {
        target: TargetSize { fraction: 0.2, tokens: 8_000 },
        ..CompactionPolicy::default()
    };
    let mut settings = super::switches::settings();
    settings.window = Some(WINDOW);
    settings.compaction = compaction;
    settings
}

async fn open(session: &RecordedSession, model: Arc<Writing>) -> Agent {
    let mut registry = ToolRegistry::new();
    for tool in recorded_tools(session, &Arc::new(ReplayClock::new(false))) {
        registry.register(Arc::new(tool)).unwrap();
    }
    let sections = FixedSections::new("rules", [PromptSection::base("rules", RULES)]);
    Agent::builder(model, Arc::new(ScriptAwareEstimator), settings())
        .allow_repetition()
        .clock(Arc::new(ManualClock::default()))
        .section(Arc::new(sections))
        .documents(DocumentCaps::default())
        .tools(registry)
        .open(SessionId::new("compactions").unwrap())
        .await
        .unwrap()
}

/// What every request has to show.
#[derive(Debug, Default)]
struct Carried {
    first: String,
    /// Short messages of the user with words of a rule, oldest first.
    rules: Vec<String>,
    ledger: Ledger,
}

impl Carried {
    fn take(&mut self, session: &RecordedSession, turn: usize) {
        let turn = session.turns.get(turn).unwrap();
        for text in turn.user.texts() {
            let lower = text.to_lowercase();
            let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
            let rule =
                words.any(|word| ["must", "never", "always"].contains(&word)) || lower.contains("do not");
            if self.first.is_empty() {
                self.first = first_line(text);
            } else if rule && text.len() <= 500 {
                self.rules.push(text.to_owned());
            }
        }
        for step in &turn.steps {
            for call in step.assistant.tool_calls() {
                self.ledger.note(call, step.results.iter().find(|result| result.call_id == call.id));
            }
        }
    }

    /// What is missing in a request.
    fn missing(&self, request: &CompletionRequest) -> Vec<String> {
        let shown: Vec<String> = request.transcript.messages().map(|one| everything(&one.content)).collect();
        let (shown, tail) = (shown.join("\n"), request.tail.join("\n"));
        let mut missing = Vec::new();
        let mut want = |found: bool, what: &str| {
            if !found {
                missing.push(what.to_owned());
            }
        };
        want(shown.contains(&self.first), &format!("first request: {}", self.first));
        want(tail.contains("port 48231"), "STATE");
        want(tail.contains("step 7741"), "scratchpad");
        want(request.system.iter().any(|section| section.text.contains(RULES)), "project rules");
        // The newest rules, as far as a quarter of the budget for the user's words goes: so much is theirs alone.
        let mut left = CompactionPolicy::default().user_words_tokens / 4;
        for rule in self.rules.iter().rev() {
            let Some(rest) = left.checked_sub(ScriptAwareEstimator.text(rule)) else { break };
            left = rest;
            for line in rule.lines().filter(|line| !line.trim().is_empty()) {
                want(shown.contains(line), &format!("rule: {line}"));
            }
        }
        let together: HashSet<String> = also_changed(&shown).collect();
        for file in self.ledger.files.iter().filter(|file| file.is_changed()) {
            let named = shown.contains(&file.path) || together.contains(&file.path);
            want(named, &format!("changed file: {}", file.path));
        }
        missing
    }
}

fn first_line(text: &str) -> String {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
}

fn everything(content: &[ContentBlock]) -> String {
    let text = |block: &ContentBlock| match block {
        ContentBlock::Text { text } => text.clone(),
        ContentBlock::ToolCall(call) => call.input.to_string(),
        ContentBlock::ToolResult(result) => result.content.clone(),
        ContentBlock::Thinking(_) | ContentBlock::Image(_) => String::new(),
    };
    content.iter().map(text).collect::<Vec<_>>().join("\n")
}

async fn run(session: Arc<RecordedSession>) {
    let info = ModelInfo::with_window("recorded", WINDOW, MAX_OUTPUT);
    let recorded = RecordedModel::new(Arc::clone(&session), info, Arc::new(ScriptAwareEstimator), 1.0);
    let model = Arc::new(Writing { recorded, requests: Mutex::default() });
    let mut agent = open(&session, Arc::clone(&model)).await;
    let turns = session.turns.len();
    let (mut carried, mut sizes, mut checked) = (Carried::default(), Vec::new(), false);
    let mut missing = Vec::new();
    for place in 0..turns {
        model.recorded.begin_turn(place);
        let before = model.requests.lock().unwrap().len();
        let user = session.turns.get(place).unwrap().user.clone();
        agent.turn(user, &NullSink, &CancelFlag::new()).await.unwrap();
        if std::mem::take(&mut checked) {
            let requests = model.requests.lock().unwrap();
            let next = requests.get(before).unwrap();
            missing.extend(carried.missing(next).into_iter().map(|what| format!("{}: {what}", sizes.len())));
        }
        carried.take(&session, place);
        // Spread over the session, from its second turn on.
        let due = (place + 1) * (COMPACTIONS + 1) / turns;
        if due > sizes.len() && sizes.len() < COMPACTIONS {
            // With nothing to gain it stays as the last one left it: that is a round, too.
            let _nothing_to_gain = agent.compact(&NullSink).await;
            let summaries = agent.view().entries().iter().filter(|entry| entry.kind == EntryKind::Summary);
            sizes.push(summaries.map(|entry| entry.tokens).sum::<u64>());
            checked = true;
        }
    }
    println!(
        "{}: {turns} turns, {} requests, {} edits of the view, {} rules, {} changed files; tokens of the summary: {sizes:?}",
        session.id,
        model.requests.lock().unwrap().len(),
        agent.view().epoch(),
        carried.rules.len(),
        carried.ledger.files.iter().filter(|file| file.is_changed()).count(),
    );
    assert_eq!(missing, Vec::<String>::new());
    assert_eq!(sizes.len(), COMPACTIONS);
    let policy = CompactionPolicy::default();
    let budgets =
        policy.user_words_tokens + policy.progress_tokens + policy.ledger_tokens + policy.names_tokens;
    let (fifth, last) = (*sizes.get(4).unwrap(), *sizes.last().unwrap());
    assert!(
        last * 2 <= fifth * 3 || last <= budgets,
        "{fifth} tokens, then {last}; the budgets are {budgets}"
    );
}

#[test]
fn twenty_compactions_of_the_longest_session_keep_what_must_be_kept() {
    let Some(files) = super::traces() else { return };
    let sessions = files.iter().map(|file| Arc::new(read_session(file).unwrap()));
    let longest = sessions
        .filter(|session| session.turns.len() > COMPACTIONS)
        .max_by_key(|session| session.steps().count());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(run(longest.unwrap()));
}
