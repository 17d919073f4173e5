//! What the engine predicts of the prompt cache, against a server that caches by the providers' rules: a long session with
//! compactions, switches of the model and pauses.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_agent::{Agent, ManualClock, NextModel, NullSink, Settings};
use throughline_completion::{LanguageModel, ModelInfo};
use throughline_continuity::{InMemoryMessageLog, Part, read_all};
use throughline_conversation::{
    CacheTtl, Message, Receipt, RecordBody, Seq, SessionId, TokenCounter, ToolCall, ToolDefinition,
    ToolOrigin,
};
use throughline_policies::{Estimator, Policy};
use throughline_prompt::{FixedSections, PromptSection};
use throughline_providers::anthropic::AnthropicModel;
use throughline_providers::http::{Endpoint, ReqwestTransport, Timeouts};
use throughline_providers::models::ModelTable;
use throughline_providers::openai_responses::OpenAiResponsesModel;
use throughline_providers::tokens::DeferredCounter;
use throughline_testserver::{Answer, Script, Server};
use throughline_tools::{CancelFlag, Tool, ToolContext, ToolOutput, ToolRegistry};
use throughline_wire::openai::OpenAiOptions;

/// Turns of three requests.
const REQUESTS: usize = 201;
const WINDOW: u64 = 60_000;
/// Per cent of the requests that must be predicted right.
const RIGHT: usize = 98;

/// Answers with the lines that it is asked for.
#[derive(Debug)]
struct ReadLines;

#[async_trait]
impl Tool for ReadLines {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "read_lines".to_owned(),
            description: "Reads lines of the file that is worked on, with their numbers.".to_owned(),
            input_schema: json!({"type": "object", "properties": {"lines": {"type": "integer"}}}),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let lines = call.input.get("lines").and_then(Value::as_u64).unwrap_or(1);
        let line = |at| format!("{at:>4}  let value_{at} = table.get(\"{}-{at}\")?; // row {at}\n", call.id);
        ToolOutput::text((0..lines).map(line).collect::<String>())
    }
}

/// Two models of a provider, behind one server.
struct Session {
    provider: &'static str,
    /// Prefixes are asked to stay for an hour.
    hour: bool,
    server: Server,
    clock: Arc<ManualClock>,
    log: Arc<InMemoryMessageLog>,
}

impl Session {
    async fn new(provider: &'static str, hour: bool) -> Self {
        let script = (0..REQUESTS).fold(Script::new(), |script, number| script.then(answer(number)));
        let server = Server::start(script.prompt_cache(1_024)).await.unwrap();
        Self { provider, hour, server, clock: Arc::default(), log: Arc::default() }
    }

    fn info(&self, name: &str) -> ModelInfo {
        let info = ModelTable::builtin().find(self.provider, name).info;
        let info = if self.hour { info.with_hour_cache() } else { info };
        ModelInfo { window: WINDOW, max_output: 4_000, ..info }
    }

    fn model(&self, name: &str) -> Arc<dyn LanguageModel> {
        let endpoint = Endpoint::new(&self.server.url()).unwrap();
        let transport = Arc::new(ReqwestTransport::new(Timeouts::default()));
        match self.provider {
            "anthropic" => Arc::new(AnthropicModel::new(self.info(name), endpoint, transport)),
            _ => {
                let row = ModelTable::builtin().find(self.provider, name);
                let options =
                    OpenAiOptions { cache_breakpoints: row.cache_breakpoints, ..OpenAiOptions::openai() };
                Arc::new(OpenAiResponsesModel::new(self.info(name), endpoint, transport, options))
            }
        }
    }

    /// The counter that a session has for this model by default.
    fn counter(&self, name: &str) -> Arc<dyn TokenCounter> {
        let estimate = Estimator::default().counter();
        match ModelTable::builtin().find(self.provider, name).tokenizer.encoding() {
            Some(encoding) => Arc::new(DeferredCounter::new(estimate, encoding.counter(), 48 * 1024)),
            None => estimate,
        }
    }

    /// The default settings.
    fn settings(&self) -> Settings {
        Settings { max_requests: Some(50), ..Policy::default().settings(WINDOW, 4_000) }
    }

    async fn open(&self, name: &str) -> Agent {
        let mut tools = ToolRegistry::new();
        tools.register(Arc::new(ReadLines)).unwrap();
        let rules = PromptSection::base("rules", "Work with care, and say what you did. ".repeat(150));
        Agent::builder(self.model(name), self.counter(name), self.settings())
            .clock(self.clock.clone())
            .log(self.log.clone())
            .tools(tools)
            .section(Arc::new(FixedSections::new("rules", [rules])))
            .open(SessionId::new("cache").unwrap())
            .await
            .unwrap()
    }

    async fn switch(&self, agent: &mut Agent, name: &str) {
        let next = NextModel {
            model: self.model(name),
            counter: self.counter(name),
            settings: self.settings(),
            summarizer: None,
        };
        agent.switch_model(next, &NullSink, &CancelFlag::new()).await.unwrap();
    }

    /// Time passes, for the engine and for the server.
    fn wait(&self, seconds: u64) {
        self.clock.advance(i64::try_from(seconds * 1_000).unwrap());
        self.server.advance(Duration::from_secs(seconds));
    }

    async fn receipts(&self) -> Vec<Receipt> {
        let session = SessionId::new("cache").unwrap();
        let read = read_all(self.log.as_ref(), &session, Seq(0), Part::All).await.unwrap();
        let receipt = |body| match body {
            RecordBody::Receipt(receipt) => Some(*receipt),
            _ => None,
        };
        read.records.into_iter().filter_map(|record| receipt(record.body)).collect()
    }
}

/// Two steps of reading, then a text.
fn answer(number: usize) -> Answer {
    let lines = 5 + (number * 37) % 60;
    match number % 3 {
        2 => Answer::text("The rows are as expected. Next is the following part of the table."),
        _ => Answer::call(&format!("call_{number}"), "read_lines", json!({"lines": lines})),
    }
}

/// Lives a whole session and gives its receipts.
async fn live(provider: &'static str, models: [&str; 2], hour: bool) -> Vec<Receipt> {
    let session = Session::new(provider, hour).await;
    let mut agent = session.open(models[0]).await;
    for turn in 0..REQUESTS / 3 {
        match turn % 22 {
            7 => session.wait(240),
            11 => session.wait(400),
            15 => session.wait(2_000),
            17 => session.switch(&mut agent, models[1]).await,
            19 => session.switch(&mut agent, models[0]).await,
            _ => session.wait(20),
        }
        let message = Message::user(format!("Check part {turn} of the table, please."));
        agent.turn(message, &NullSink, &CancelFlag::new()).await.unwrap();
    }
    agent.close(&NullSink).await;
    session.receipts().await
}

/// Requests whose reads and writes are not those that were predicted, to two hundredths of the prompt.
fn wrong(receipts: &[Receipt]) -> Vec<String> {
    let differs = |receipt: &&Receipt| {
        let reported = receipt.reported.unwrap();
        let most = (reported.prompt() / 50).max(128);
        receipt.predicted.cache_read.abs_diff(reported.cache_read) > most
            || receipt.predicted.cache_write.abs_diff(reported.cache_write) > most
    };
    let line = |receipt: &Receipt| {
        let (predicted, reported) = (receipt.predicted, receipt.reported.unwrap());
        format!("{} of {}: predicted {predicted:?}, reported {reported:?}", receipt.request, receipt.model)
    };
    receipts.iter().filter(differs).map(line).collect()
}

/// Requests that read exactly as many tokens from the cache as were predicted.
fn exact_reads(receipts: &[Receipt]) -> usize {
    let exact = |receipt: &&Receipt| {
        receipt.reported.map(|usage| usage.cache_read) == Some(receipt.predicted.cache_read)
    };
    receipts.iter().filter(exact).count()
}

/// Lives a session with the default settings and counters and checks what was predicted of it.
async fn predicts(provider: &'static str, models: [&str; 2], hour: bool) -> Vec<Receipt> {
    let receipts = live(provider, models, hour).await;
    let compactions = receipts.iter().filter(|receipt| receipt.compaction.is_some()).count();
    let (wrong, exact) = (wrong(&receipts), exact_reads(&receipts));
    eprintln!(
        "{provider}: {} requests, {compactions} compactions, {exact} reads to the token, {} wrong",
        receipts.len(),
        wrong.len()
    );
    assert!(receipts.len() >= REQUESTS, "{}", receipts.len());
    assert!(compactions >= 3, "{compactions} compactions");
    let reads = receipts.iter().filter(|receipt| receipt.predicted_cache_read() == Some(true)).count();
    assert_eq!(reads, receipts.len(), "each read is predicted; writes are estimates of what is new");
    assert!(exact * 100 >= receipts.len() * RIGHT, "{exact} reads are predicted to the token");
    let right = receipts.len() - wrong.len();
    assert!(right * 100 >= receipts.len() * RIGHT, "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    receipts
}

#[tokio::test]
async fn reads_and_writes_at_anthropic_are_predicted() {
    predicts("anthropic", ["claude-sonnet-4-5", "claude-opus-4-1"], false).await;
}

#[tokio::test]
async fn reads_at_openai_are_predicted() {
    predicts("openai", ["gpt-5.2", "gpt-5.1"], false).await;
}

// S3-14
#[tokio::test]
async fn reads_and_writes_at_openai_s_breakpoints_are_predicted() {
    predicts("openai", ["gpt-6-sol", "gpt-5.6"], false).await;
}

#[tokio::test]
async fn prefixes_that_are_asked_to_stay_for_an_hour_are_predicted_to() {
    let receipts = predicts("anthropic", ["claude-sonnet-4-5", "claude-opus-4-1"], true).await;
    let markers = receipts.iter().flat_map(|receipt| &receipt.breakpoints);
    assert!(markers.into_iter().all(|marker| marker.ttl == CacheTtl::OneHour));
    // The pauses are longer than five minutes and shorter than an hour.
    let cold = receipts.iter().skip(1).filter(|receipt| receipt.reported.unwrap().cache_read == 0);
    let models = receipts.iter().map(|receipt| &receipt.model).collect::<std::collections::BTreeSet<_>>();
    assert!(cold.count() < models.len() + 1, "only a model that is new to the session reads nothing");
}
