//! The summary of the policy `dex`, and the prompt for it.

use std::sync::{Arc, Mutex};

use expect_test::expect;
use throughline_compaction::{MockSummarizer, Prose, SummaryError};
use throughline_testkit::{WordCounter, view};

use super::compactor;
use crate::dex::rules::{first_sentence, lines, quality_result};
use crate::dex::{Dex, history};
use crate::testing::{compact_by, rendered, words};

// S0-26
#[test]
fn lines_tell_calls_decisions_and_gates() {
    let text = r#"
user: go
assistant: We are choosing toml over json! It has comments.
  -> a bash {}
  -> b read {}
results:
  a = QUALITY_BLOCKED: 3 lints
  b = nothing
user: QUALITY_FAILED and QUALITY_
assistant: the undecided part
"#;
    expect![[r#"
        - Called bash
        - Called read
        - Decision: We are choosing toml over json!
        - Quality gate: blocked
        - Quality gate: failed
        - Decision: the undecided part
    "#]]
    .assert_eq(&lines(view(text).entries()));
}

#[test]
fn a_sentence_ends_at_its_end() {
    assert_eq!(first_sentence("I decided. Then I left."), "I decided.");
    assert_eq!(first_sentence("We use main.rs for it! Yes."), "We use main.rs for it!");
    assert_eq!(first_sentence("decided\nto go."), "decided");
    assert_eq!(first_sentence(&"ä".repeat(120)), format!("{}...", "ä".repeat(50)));
    assert_eq!(quality_result("QUALITY_ and QUALITY_PASSED."), Some("passed".to_owned()));
    assert_eq!(quality_result("quality_passed"), None);
}

// S0-28 S0-29
#[test]
fn the_prompt_shows_the_history() {
    let text = format!("user: go\nassistant: {}\n  -> a read {{}}\nresults:\n  a = x", "é".repeat(1_001));
    let prompt = history::prompt(view(&text).entries(), 10_000, &WordCounter);
    let start = format!(
        "Summarize this conversation history for session continuation.\n\n**Conversation History:**\n[user]: go\n\n\
         [assistant]: {}... [truncated]\n\n[user]: x\n\n\n\nWrap your reasoning in <analysis> tags, then",
        "é".repeat(1_000)
    );
    assert!(prompt.starts_with(&start), "{prompt}");
    for section in [
        "1. **User Intent** - ",
        "2. **Technical Context** - ",
        "3. **Files & Code** - ",
        "4. **Errors & Fixes** - ",
        "5. **Key Decisions** - ",
        "6. **Pending Tasks** - ",
        "7. **Current State** - ",
    ] {
        assert!(prompt.contains(section), "{section}");
    }
    let end = "\n\nBe thorough - this summary will be the only context for continuing the session.\n\
               Do not mention that you read a summary or that summarization occurred.";
    assert!(prompt.ends_with(end), "{prompt}");
}

#[test]
fn a_history_that_is_too_long_loses_its_middle() {
    let text: String = (0..20).map(|n| format!("user: u{n} {}\nassistant: a{n}\n", words(8))).collect();
    let prompt = history::prompt(view(&text).entries(), 60, &WordCounter);
    expect![[r#"
        Summarize this conversation history for session continuation.

        **Conversation History:**
        [user]: u0 w0 w1 w2 w3 w4 w5 w6 w7

        [assistant]: a0

        [… 30 messages left out …]

        [user]: u16 w0 w1 w2 w3 w4 w5 w6 w7

        [assistant]: a16

        [user]: u17 w0 w1 w2 w3 w4 w5 w6 w7

        [assistant]: a17

        [user]: u18 w0 w1 w2 w3 w4 w5 w6 w7

        [assistant]: a18

        [user]: u19 w0 w1 w2 w3 w4 w5 w6 w7

        [assistant]: a19

    "#]]
    .assert_eq(prompt.split("\n\nWrap").next().unwrap_or_default());
}

/// What the summarizer is asked, and the outcome of a summary that it answers with `answer`.
fn summarized(answer: Result<&str, SummaryError>) -> (String, String) {
    let asked = Arc::new(Mutex::new(String::new()));
    let mut summarizer = MockSummarizer::new();
    let mut answer = Some(answer.map(Prose::by_rule));
    let seen = Arc::clone(&asked);
    summarizer.expect_summarize().times(1).returning_st(move |request| {
        assert_eq!(request.entries.len(), 0, "the prompt has the messages in it");
        request.prompt.clone_into(&mut seen.lock().expect("no panic"));
        answer.take().expect("it is asked once")
    });
    let text =
        format!("user: go\nassistant: {}\nuser: more\n", words(60)) + &"assistant: c\nuser: b\n".repeat(5);
    let done =
        compact_by(&compactor(Dex::default(), Some(Arc::new(summarizer))), &view(&text), 1_000, 0, Some(60));
    let asked = asked.lock().expect("no panic").clone();
    (asked, rendered(done))
}

// S0-25 S0-27
#[test]
fn the_model_summarizes_when_there_is_one() {
    let (asked, outcome) =
        summarized(Ok("<analysis>hm</analysis>\n1. **User Intent** - go\n7. **Current State** - so"));
    assert!(asked.contains("**Conversation History:**\n[user]: go\n\n[assistant]: w0 w1"), "{asked}");
    expect![[r#"
        summary: ## Compacted History\n1. **User Intent** - go\n7. **Current State** - so\n\n## What the user said\n> go\n\n> more\n\n[Full text of these messages: ref_id="r-04b09d3339f2a728" (use "read_result").]
        assistant: c
        user: b
        assistant: c
        user: b
        assistant: c
        user: b
        assistant: c
        user: b
        assistant: c
        user: b
        keep r-04b09d3339f2a728 conversation: 306 bytes
        compacted 13 → 11 messages, 72 → 40 tokens (history_summary); 40 rewritten
    "#]].assert_eq(&outcome);
}

#[test]
fn a_summary_has_4000_tokens_or_a_fifth_of_the_room() {
    let text =
        format!("user: go\nassistant: {}\nuser: more\n", words(60)) + &"assistant: c\nuser: b\n".repeat(5);
    let budget = |room| {
        let asked = Arc::new(Mutex::new(0));
        let mut summarizer = MockSummarizer::new();
        let seen = Arc::clone(&asked);
        summarizer.expect_summarize().times(1).returning(move |request| {
            *seen.lock().expect("no panic") = request.budget;
            Err(SummaryError::Other("no model today".into()))
        });
        let compactor = compactor(Dex::default(), Some(Arc::new(summarizer)));
        compact_by(&compactor, &view(&text), room, 0, Some(60)).expect("the rule takes its place");
        let asked = asked.lock().expect("no panic");
        *asked
    };
    assert_eq!([1_000, 19_995, 20_000, 200_000].map(budget), [200, 3_999, 4_000, 4_000]);
}

// S0-27
#[test]
fn when_the_model_fails_the_rule_takes_its_place() {
    let (_, outcome) = summarized(Err(SummaryError::Other("no model today".into())));
    expect![[r#"
        summary: ## Compacted History\n\n\n## What the user said\n> go\n\n> more\n\n[Full text of these messages: ref_id="r-04b09d3339f2a728" (use "read_result").]
        assistant: c
        user: b
        assistant: c
        user: b
        assistant: c
        user: b
        assistant: c
        user: b
        assistant: c
        user: b
        keep r-04b09d3339f2a728 conversation: 306 bytes
        degraded summarizer: a summary by rule (the summarizer failed: no model today)
        compacted 13 → 11 messages, 72 → 30 tokens (history_summary); 30 rewritten
    "#]].assert_eq(&outcome);
}
