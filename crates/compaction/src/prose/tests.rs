//! An answer is used only as far as it passes its checks.

use throughline_testkit::{WordCounter, view};

use super::*;
use crate::testing::{session, wait};
use crate::{AnswerChecks, CompactionJob, MockSummarizer, SummaryError, Template};

/// Asks for a summary, and shows the answer, then what was recorded in the draft.
fn asked(answer: Option<Result<Prose, SummaryError>>) -> (Result<Option<Prose>, String>, Vec<String>) {
    let (view, session) = (view("user: Never touch vendor/legacy.\nassistant: yes"), session());
    let job = CompactionJob::new(&session, &view, &WordCounter, 1_000);
    let mut draft = Draft::new(&job);
    let request = SummaryRequest {
        entries: view.entries(),
        previous: None,
        budget: 20,
        prompt: "",
        counter: &WordCounter,
        prefix: None,
        spending: None,
        checks: Some(AnswerChecks { template: &Template::ROLLING, replaced: 500 }),
    };
    let summarizer = answer.map(|answer| {
        let mut summarizer = MockSummarizer::new();
        summarizer.expect_summarize().return_once(|_| answer);
        summarizer
    });
    let summarizer = summarizer.as_ref().map(|summarizer| summarizer as &dyn Summarizer);
    let prose = wait(request_prose(&mut draft, summarizer, &request));
    let lost = draft.take_degraded().into_iter().map(|lost| lost.cause).collect();
    (prose, lost)
}

#[test]
fn an_answer_is_used_without_its_analysis_and_without_the_words_of_others() {
    let answer = "<analysis>hm</analysis>\n# Now\nThe rule about vendor was lifted.\nI port it.\n# Done\nall";
    let prose = Prose { fell_back: Some("no such API".to_owned()), ..Prose::by_model(answer, "m") };
    let expected = Prose::by_model("# Now\nI port it.\n# Done\nall", "m");
    assert_eq!(asked(Some(Ok(prose))), (Ok(Some(expected)), vec!["no such API".to_owned()]));
    assert_eq!(asked(None), (Ok(None), vec![]));
}

#[test]
fn an_answer_that_fails_its_check_or_is_missing_says_why() {
    for (answer, why) in [
        (Ok(Prose::by_model("I port it.", "m")), "the summary lacks the heading \"Now\""),
        (Err(SummaryError::Unusable("too late".to_owned())), "the summary cannot be used: too late"),
    ] {
        assert_eq!(asked(Some(answer)), (Err(why.to_owned()), vec![]));
    }
}
