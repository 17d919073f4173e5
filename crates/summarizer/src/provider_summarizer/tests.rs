//! Summaries by a provider, and what takes over without one.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde_json::json;
use throughline_compaction::{AnswerChecks, Template};
use throughline_completion::{CompletionRequest, EventStream, ModelInfo, Reply, ScriptedModel};
use throughline_conversation::{AnswerIdentity, Message, TokenCounter, Usage, View};
use throughline_testkit::{WordCounter, view};

use super::*;

const GOOD: &str = "### Now\nthe parser\n### Done\nthe lexer";
const USED: Usage = Usage { input: 1, cache_read: 2, cache_write: 3, output: 4, searches: 0 };

/// Counts words, in opaque content too.
#[derive(Debug)]
struct AllWords;

impl TokenCounter for AllWords {
    fn text(&self, text: &str) -> u64 {
        WordCounter.text(text)
    }
}

/// A model whose provider gives these answers to requests for a compaction.
#[derive(Debug)]
struct Compacting {
    model: ScriptedModel,
    answers: Mutex<VecDeque<Result<ProviderAnswer, ModelError>>>,
    asked: Mutex<Vec<(CompletionRequest, String)>>,
}

#[async_trait]
impl LanguageModel for Compacting {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        self.model.stream(request).await
    }

    async fn compact(
        &self,
        request: &CompletionRequest,
        instructions: &str,
    ) -> Result<ProviderAnswer, ModelError> {
        self.asked.lock().expect("free").push((request.clone(), instructions.to_owned()));
        self.answers.lock().expect("free").pop_front().expect("no more requests than answers")
    }
}

fn compacting(
    answers: impl IntoIterator<Item = Result<ProviderAnswer, ModelError>>,
    own: usize,
) -> Arc<Compacting> {
    let info = ModelInfo::with_window("m", 8_000, 1_000);
    let replies = (0..own).map(|_| Reply::text(GOOD));
    Arc::new(Compacting {
        model: ScriptedModel::new(info, Box::new(WordCounter), replies).recording(),
        answers: Mutex::new(answers.into_iter().collect()),
        asked: Mutex::default(),
    })
}

fn answer_of(made: Result<ProviderSummary, String>) -> ProviderAnswer {
    let identity = AnswerIdentity::default();
    ProviderAnswer::Answered { made, usage: Some(USED), stop: None, identity }
}

fn answered(summary: ProviderSummary) -> Result<ProviderAnswer, ModelError> {
    Ok(answer_of(Ok(summary)))
}

fn text(text: &str) -> Result<ProviderAnswer, ModelError> {
    answered(ProviderSummary::Text(text.to_owned()))
}

/// What leaves: the model's work behind a request that stays.
fn leaving() -> View {
    let words = |count: usize| vec!["word"; count].join(" ");
    view(&format!("user: build it\nassistant: {}\nuser: and more\nassistant: {}", words(60), words(60)))
}

async fn summarized(summarizer: &ProviderSummarizer, spending: &Spending<'_>) -> Result<Prose, SummaryError> {
    let view = leaving();
    let checks = AnswerChecks { template: &Template::ROLLING, replaced: 130 };
    let request = SummaryRequest {
        entries: &view.entries()[1..],
        previous: None,
        budget: 50,
        prompt: "Write notes.",
        counter: &AllWords,
        prefix: None,
        spending: Some(spending),
        checks: Some(checks),
    };
    summarizer.summarize(&request).await
}

fn summarizer(model: &Arc<Compacting>) -> ProviderSummarizer {
    ProviderSummarizer::new(Arc::clone(model) as Arc<dyn LanguageModel>, SummarizerSettings::default())
}

/// Requests to the model itself.
fn own(model: &Compacting) -> usize {
    model.model.requests().len()
}

#[tokio::test]
async fn a_summary_of_the_provider_replaces_the_models() {
    let model = compacting([text(GOOD)], 0);
    let spending = Spending::default();
    let prose = summarized(&summarizer(&model), &spending).await.expect("a summary");
    assert_eq!((prose.text.as_str(), prose.model.as_deref()), (GOOD, Some("m")));
    assert_eq!(prose.provider.map(|made| (made.origin, made.item)), Some((model.info().origin(), None)));
    assert_eq!(prose.fell_back, None);
    assert_eq!(own(&model), 0);
    let sums = spending.sums();
    assert_eq!(sums.len(), 1);
    assert_eq!((sums[0].usage, sums[0].origin.model.as_str()), (USED, "m"));
    // The first leaving message is the model's, and providers want the user to begin.
    let asked = model.asked.lock().expect("free");
    let (request, instructions) = &asked[0];
    assert_eq!(request.transcript.len(), 4);
    assert_eq!(
        request.transcript.messages().next().map(Message::text).as_deref(),
        Some("[Earlier messages are left out here.]")
    );
    assert!(instructions.contains("everything") && instructions.contains("Write notes."));
}

#[tokio::test]
async fn an_opaque_item_is_stored_next_to_a_summary_that_can_be_read() {
    let item = json!({"type": "compaction", "encrypted_content": "sealed"});
    let model = compacting([answered(ProviderSummary::Item(item.clone()))], 1);
    let spending = Spending::default();
    let prose = summarized(&summarizer(&model), &spending).await.expect("a summary");
    assert_eq!(prose.text, GOOD);
    assert_eq!(prose.provider.and_then(|made| made.item), Some(item));
    assert_eq!((own(&model), prose.fell_back), (1, None));
    assert_eq!(spending.sums()[0].requests, 2);
}

#[tokio::test]
async fn a_provider_without_a_compaction_is_asked_and_named_once() {
    let refused = ProviderAnswer::Unsupported { cause: "unknown beta".to_owned(), asked: true };
    let model = compacting([Ok(refused)], 3);
    let summarizer = summarizer(&model);
    let spending = Spending::default();
    let mut said = Vec::new();
    for _ in 0..3 {
        let prose = summarized(&summarizer, &spending).await.expect("a summary");
        assert_eq!((prose.text.as_str(), &prose.provider), (GOOD, &None));
        said.push(prose.fell_back);
    }
    assert_eq!(said, [Some("unknown beta".to_owned()), None, None]);
    assert_eq!((model.asked.lock().expect("free").len(), own(&model)), (1, 3));
    assert_eq!(spending.sums()[0].requests, 3, "what is refused costs nothing");
}

#[tokio::test]
async fn an_answer_of_no_use_is_paid_and_replaced() {
    let huge = json!({"type": "compaction", "encrypted_content": vec!["x"; 400].join(" ")});
    let broken = Err(ModelError::Interrupted { message: "the line broke".to_owned() });
    let unusable = answer_of(Err("no block".to_owned()));
    let cases = [
        (text(""), "the summary is empty", 2),
        (text("I'm sorry, I cannot do that."), "a refusal", 2),
        (text("Sure, I will continue with the parser."), "lacks the heading", 2),
        (text(&format!("{GOOD} {}", vec!["word"; 200].join(" "))), "tokens", 2),
        (answered(ProviderSummary::Item(huge)), "the item has", 2),
        (Ok(unusable), "no block", 2),
        (broken, "the line broke", 2),
        (
            Err(ModelError::Unavailable { message: "overloaded".to_owned(), retry_after_ms: None }),
            "overloaded",
            1,
        ),
    ];
    for (answer, why, requests) in cases {
        let model = compacting([answer], 1);
        let spending = Spending::default();
        let prose = summarized(&summarizer(&model), &spending).await.expect("a summary");
        let said = prose.fell_back.unwrap_or_default();
        assert!(said.contains(why), "{said:?} lacks {why:?}");
        assert_eq!((prose.text.as_str(), &prose.provider), (GOOD, &None), "{why}");
        let sums = spending.sums();
        assert_eq!(sums[0].requests + sums[0].unreported, requests, "{why}: {sums:?}");
    }
}
