//! Summaries that are there before they are asked for.

use std::sync::Arc;

use throughline_conversation::{
    Action, Edit, EditReason, Entry, ModelUse, Origin, Seq, Span, TokenCounter, Usage,
};
use throughline_testkit::{WordCounter, view, with_edit};

use super::PreparedSummaries;
use crate::testing::wait;
use crate::{
    AnswerChecks, MockSummarizer, Prose, Spending, Summarizer, SummaryCollector, SummaryError,
    SummaryRequest, Template, WrittenSummary,
};

const GOOD: &str = "### Now\nwork on the parser\n### Done\nthe lexer";

fn request(entries: &[Entry]) -> SummaryRequest<'_> {
    SummaryRequest {
        entries,
        previous: None,
        budget: 60,
        prompt: "Write notes.",
        counter: &WordCounter,
        prefix: None,
        spending: None,
        checks: Some(AnswerChecks { template: &Template::ROLLING, replaced: 500 }),
    }
}

/// A summary of these entries, written as a compaction would ask for it.
fn written(entries: &[Entry], answer: &str) -> Result<WrittenSummary, String> {
    let counter: Arc<dyn TokenCounter> = Arc::new(WordCounter);
    let collector = SummaryCollector::new(counter);
    wait(collector.summarize(&request(entries))).unwrap();
    let [job] = collector.take().try_into().unwrap();
    let mut model = MockSummarizer::new();
    let prose = Prose::by_model(answer, "m");
    model.expect_summarize().times(1).return_once(move |asked| {
        assert_eq!((asked.prompt, asked.budget), ("Write notes.", 60));
        Ok(prose)
    });
    wait(job.write(&model, &Spending::default())).map_err(|error| error.to_string())
}

fn prepared(written: Vec<WrittenSummary>, used: Vec<ModelUse>) -> PreparedSummaries {
    let mut model = MockSummarizer::new();
    model.expect_summarize().returning(|_| Ok(Prose::by_model("asked", "m")));
    let prepared = PreparedSummaries::new(Arc::new(model));
    prepared.put(written, used);
    prepared
}

const TALK: &str = "user: write a parser for me\nassistant: I write the lexer first of all now\nuser: and now the parser\n\
                    assistant: The grammar of the parser is finished now";

#[test]
fn what_came_after_the_snapshot_is_added_by_rule() {
    let view = view(TALK);
    let entries = view.entries();
    let own = prepared(vec![written(&entries[..2], GOOD).unwrap()], vec![]);
    assert!(own.fits(entries));
    let prose = wait(own.summarize(&request(entries))).unwrap();
    assert_eq!(prose.text, format!("{GOOD}\n\n### Since then\n- The grammar of the parser is finished now"));
    assert_eq!(prose.model.as_deref(), Some("m"));
    assert_eq!(request(entries).check(&prose.text).unwrap(), prose.text, "it passes the check of any answer");
    let same = wait(own.summarize(&request(&entries[..2]))).unwrap();
    assert_eq!(same.text, GOOD);
}

#[test]
fn changed_messages_and_small_parts_ask_the_model() {
    let other = view("user: write a lexer\nassistant: ho");
    let view = view(TALK);
    let entries = view.entries();
    for small in [&entries[..1], other.entries()] {
        let own = prepared(vec![written(small, GOOD).unwrap()], vec![]);
        assert!(!own.fits(entries));
        assert_eq!(wait(own.summarize(&request(entries))).unwrap().text, "asked");
    }
}

#[test]
fn a_summary_that_the_user_asks_for_in_own_words_is_written_for_it() {
    let view = view(TALK);
    let entries = view.entries();
    let own = prepared(vec![written(entries, GOOD).unwrap()], vec![]);
    let session = throughline_conversation::SessionId::new("s").unwrap();
    let mut job = crate::CompactionJob::new(&session, &view, &WordCounter, 1_000);
    job.instructions = Some("name the functions");
    let prompt = job.summary_prompt("Write notes.".to_owned());
    let asked = SummaryRequest { prompt: &prompt, ..request(entries) };
    assert_eq!(wait(own.summarize(&asked)).unwrap().text, "asked");
    assert_eq!(wait(own.summarize(&request(entries))).unwrap().text, GOOD);
}

#[test]
fn an_answer_that_fails_its_check_is_no_summary() {
    let view = view(TALK);
    let error = written(view.entries(), "I work on.").unwrap_err();
    assert!(error.starts_with("the summary cannot be used: "), "{error}");
}

#[test]
fn what_a_summary_has_used_is_given_once_and_only_if_it_was_an_answer() {
    let view = view(TALK);
    let used = || {
        let mut used = ModelUse::of(Origin::new("p".to_owned(), "m".to_owned()));
        used.add(Usage { input: 7, ..Usage::default() });
        vec![used]
    };
    let own = prepared(vec![written(view.entries(), GOOD).unwrap()], used());
    assert!(own.take_used().is_empty());
    wait(own.summarize(&request(view.entries()))).unwrap();
    assert_eq!(own.take_used(), used());
    assert!(own.take_used().is_empty() && own.clear().is_empty());
    assert!(!own.fits(view.entries()));
    own.put(vec![], used());
    assert_eq!(own.clear(), used(), "no compaction has used it");
}

#[test]
fn a_summary_fits_if_its_messages_are_unchanged_and_a_quarter_of_the_view() {
    let talk = |others: usize| {
        format!("user: one two\nassistant: three four\nuser: {}", crate::testing::words(others))
    };
    let of_two = |text: &str| written(&view(text).entries()[..2], GOOD).unwrap();
    for (others, fits) in [(1, true), (12, true), (13, false)] {
        let own = of_two(&talk(others));
        let now = view(&talk(others));
        assert_eq!(own.fits(now.entries()), fits, "{others}");
        assert_eq!(own.extended(&request(now.entries())).is_some(), fits, "{others}");
    }
    let own = of_two(&talk(1));
    let changed = view("user: one two\nassistant: three four five\nuser: on");
    let shorter = view("user: one two");
    let behind = view("user: x\nuser: one two\nassistant: three four");
    for other in [&changed, &shorter, &behind] {
        assert!(!own.fits(other.entries()) && own.extended(&request(other.entries())).is_none());
    }
    // Nothing of the model may stand before them.
    let entries = view("assistant: x\nassistant: one two\nassistant: three four").entries().to_vec();
    let inner = written(&entries[1..], GOOD).unwrap();
    assert!(!inner.fits(&entries) && inner.extended(&request(&entries)).is_none());
    assert!(!inner.fits(&[]) && !written(&[], GOOD).is_ok_and(|written| written.fits(&entries)));
}

const OPEN_TURN: &str = "user: write a parser\nassistant: I write the lexer first of all now\n\
                         assistant: The lexer of the parser is finished now";

#[test]
fn a_summary_of_an_open_turn_is_used_behind_the_next_message_of_the_user() {
    let own = written(&view(OPEN_TURN).entries()[1..], GOOD).unwrap();
    let now = view(&format!("{OPEN_TURN}\nuser: and the grammar\nassistant: I write the grammar now"));
    assert!(own.fits(now.entries()));
    // The user's words before it are quoted by the summary itself.
    assert_eq!(own.extended(&request(&now.entries()[..3])).unwrap().text, GOOD);
}

#[test]
fn an_earlier_summary_before_the_messages_stays_in_the_prose() {
    let before = view(&format!("user: begin\nassistant: It has begun\n{OPEN_TURN}"));
    let span = Span { first: Seq(1), last: Seq(2) };
    let summary = Some("- the repository was cloned from the server".to_owned());
    let edit = Edit {
        reason: EditReason::Manual,
        actions: vec![Action::Cover { span, summary, note: None }],
        strategies: Vec::new(),
    };
    let view = with_edit(&before, &edit);
    let own = written(&view.entries()[2..], GOOD).unwrap();
    let prose = own.extended(&request(view.entries())).unwrap();
    assert_eq!(prose.text, format!("### Before\n- the repository was cloned from the server\n\n{GOOD}"));
    assert_eq!(request(view.entries()).check(&prose.text).unwrap(), prose.text);
}

#[test]
fn a_compaction_that_does_not_wait_asks_for_no_summary() {
    let view = view(TALK);
    let entries = view.entries();
    let own = prepared(vec![written(&entries[..2], GOOD).unwrap()], vec![]);
    own.set_waiting(false);
    let other = wait(own.summarize(&request(&entries[3..])));
    assert!(matches!(other, Err(SummaryError::NotReady)), "{other:?}");
    assert!(wait(own.summarize(&request(entries))).is_ok());
    own.set_waiting(true);
    assert_eq!(wait(own.summarize(&request(&entries[3..]))).unwrap().text, "asked");
}

#[test]
fn what_was_added_by_rule_has_the_rest_of_the_budget() {
    let line = "assistant: now the very next part of it is done\n";
    let view = view(&format!("{TALK}\n{line}{}", line.replace("part", "piece")));
    let entries = view.entries();
    let own = written(&entries[..4], GOOD).unwrap();
    let added = |budget| {
        let prose =
            own.extended(&SummaryRequest { budget, previous: Some("- an earlier text"), ..request(entries) });
        prose.unwrap().text.lines().skip(6).map(str::to_owned).collect::<Vec<_>>().join(", ")
    };
    // The summary has 10 tokens, the heading 3, and each line 10.
    assert_eq!(added(33), "- now the very next part of it is done, - now the very next piece of it is done");
    assert_eq!(added(32), "- now the very next piece of it is done");
}
