//! What is remembered of a summarizer.

use std::sync::Arc;

use throughline_conversation::View;
use throughline_testkit::WordCounter;

use super::TriedSummarizer;
use crate::testing::wait;
use crate::{AnswerChecks, MockSummarizer, Prose, Summarizer, SummaryError, SummaryRequest, Template};

/// Asks once, and says how many of the last answers could not be used.
fn unusable(tried: &TriedSummarizer) -> u32 {
    let (view, template) = (View::default(), Template::ROLLING);
    let request = SummaryRequest {
        entries: view.entries(),
        previous: None,
        budget: 50,
        prompt: "",
        counter: &WordCounter,
        prefix: None,
        spending: None,
        checks: Some(AnswerChecks { template: &template, replaced: 500 }),
    };
    wait(tried.summarize(&request)).ok();
    tried.unusable()
}

#[test]
fn answers_that_cannot_be_used_are_counted_until_a_good_one_or_the_user() {
    let mut answers: Vec<Result<Prose, SummaryError>> = vec![
        Ok(Prose::by_model("### Now\nwork\n### Done\nsome", "m")),
        Ok(Prose::by_model("I work on.", "m")),
        Err(SummaryError::Other("no connection".into())),
        Ok(Prose::by_model("### Now\nwork\n### Done\nsome", "m")),
        Err(SummaryError::CutOff),
        Ok(Prose::by_model("I work on.", "m")),
    ];
    answers.reverse();
    let mut mock = MockSummarizer::new();
    mock.expect_summarize().returning(move |_| answers.pop().expect("an answer is left"));
    let tried = TriedSummarizer::new(Arc::new(mock));
    // A request that fails says nothing about the model.
    let seen: Vec<u32> = (0..6).map(|_| unusable(&tried)).collect();
    assert_eq!(seen, [0, 1, 1, 0, 1, 2]);
    tried.forgive();
    assert_eq!(tried.unusable(), 0);
}
