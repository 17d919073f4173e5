//! The policy `vibe`, by its own order and texts.

use std::sync::{Arc, Mutex};

use expect_test::{Expect, expect};
use throughline_compaction::{CompactionError, Compactor, MockSummarizer, Prose, Summarizer, SummaryError};
use throughline_conversation::{Action, EntryKind, View};
use throughline_testkit::{render, view};

use super::Vibe;
use super::clean::cleaned;
use crate::testing::{appended, compact_by, compactor as compactor_of, rendered, words};

/// An answer with the headings that it must have.
const WELL: &str = "3. Technical Context and Decisions\nnone\n\n7. Immediate Next Step\nContinue.";

fn compactor(summarizer: Option<Arc<dyn Summarizer>>) -> Compactor {
    compactor_of(Vibe::default(), 0.0, summarizer)
}

/// A summarizer that always says the same, and what it was asked.
fn saying(answer: &'static str) -> (Arc<dyn Summarizer>, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let mut summarizer = MockSummarizer::new();
    let seen = Arc::clone(&asked);
    summarizer.expect_summarize().returning(move |request| {
        let messages = render(request.entries.iter().map(|entry| entry.message.as_ref()));
        seen.lock().expect("no panic").push(format!("{}\n---\n{messages}", request.prompt));
        Ok(Prose::by_model(answer, "m"))
    });
    (Arc::new(summarizer), asked)
}

fn check(view: &View, expected: &Expect) -> View {
    let (summarizer, _) = saying(WELL);
    let done = compact_by(&compactor(Some(summarizer)), view, 1_000, 0, None);
    let after = match &done {
        Ok(done) => appended(view, done),
        Err(_) => view.clone(),
    };
    expected.assert_eq(&rendered(done));
    after
}

fn long() -> String {
    format!("user: fix it\nassistant: {}\n  -> a read {{}}\nresults:\n  a = {}\n", words(20), words(40))
}

// S2-05 S2-07 S2-08 S2-10
#[test]
fn all_that_is_left_is_the_summary_and_the_last_request() {
    let text = long() + "assistant: done\nuser: now the docs\\nand the tests";
    check(
        &view(&text),
        &expect![[r#"
            summary: 3. Technical Context and Decisions\nnone\n\n7. Immediate Next Step\nContinue.\n\n## What the user said\n> fix it\n\n[Full text of these messages: ref_id="r-1479438a196fab98" (use "read_result").]\n\nLast request from user was: now the docs\nand the tests
            keep r-1479438a196fab98 conversation: 403 bytes
            compacted 5 → 1 messages, 71 → 38 tokens (conversation_summary); 38 rewritten
        "#]],
    );
}

// S2-07: results that came in just now are in the summary; the request is the one before them.
#[test]
fn the_last_request_may_be_far_back() {
    check(
        &view(&long()),
        &expect![[r#"
            summary: 3. Technical Context and Decisions\nnone\n\n7. Immediate Next Step\nContinue.\n\n[Full text of these messages: ref_id="r-f380686e50db4ad1" (use "read_result").]\n\nLast request from user was: fix it
            keep r-f380686e50db4ad1 conversation: 324 bytes
            compacted 3 → 1 messages, 64 → 26 tokens (conversation_summary); 26 rewritten
        "#]],
    );
}

#[test]
fn a_second_summary_finds_the_request_in_the_first() {
    let after = check(
        &view(&long()),
        &expect![[r#"
            summary: 3. Technical Context and Decisions\nnone\n\n7. Immediate Next Step\nContinue.\n\n[Full text of these messages: ref_id="r-f380686e50db4ad1" (use "read_result").]\n\nLast request from user was: fix it
            keep r-f380686e50db4ad1 conversation: 324 bytes
            compacted 3 → 1 messages, 64 → 26 tokens (conversation_summary); 26 rewritten
        "#]],
    );
    let mut text = String::from("assistant: more\n  -> b read {}\nresults:\n  b = ");
    text.push_str(&words(60));
    let mut view = after;
    for mut record in throughline_testkit::records(&text) {
        record.seq = view.last().next();
        record.exchange = view.exchange();
        view.apply(&record, &throughline_testkit::WordCounter).expect("messages in order apply");
    }
    check(
        &view,
        &expect![[r#"
            summary: 3. Technical Context and Decisions\nnone\n\n7. Immediate Next Step\nContinue.\n\n[Full text of these messages: ref_id="r-58b9d5a65da52ae7" (use "read_result").]\n\nLast request from user was: fix it
            keep r-58b9d5a65da52ae7 conversation: 531 bytes
            compacted 3 → 1 messages, 89 → 26 tokens (conversation_summary); 26 rewritten
        "#]],
    );
}

#[test]
fn a_call_that_waits_stays_with_its_message() {
    let text = long() + "assistant: now\n  -> open compact_context {}";
    check(
        &view(&text),
        &expect![[r#"
            summary: 3. Technical Context and Decisions\nnone\n\n7. Immediate Next Step\nContinue.\n\n[Full text of these messages: ref_id="r-f380686e50db4ad1" (use "read_result").]\n\nLast request from user was: fix it
            assistant: now
              -> open compact_context {}
            keep r-f380686e50db4ad1 conversation: 324 bytes
            compacted 4 → 2 messages, 67 → 29 tokens (conversation_summary); 29 rewritten
        "#]],
    );
}

// S2-05 S2-09 S2-11 S2-12 S2-13
#[test]
fn the_summary_is_asked_for_with_a_whole_conversation() {
    let (summarizer, asked) = saying(WELL);
    let text = long() + "assistant: now\n  -> open compact_context {}\n  -> other read {}";
    let view = view(&text);
    compact_by(&compactor(Some(summarizer)), &view, 1_000, 0, None).expect("it shrinks");
    let asked = asked.lock().expect("no panic").join("\n");
    let start = "Provide a detailed but concise summary of our conversation. Structure it as follows:\n\n\
                 1. User's Primary Goals and Intent\n   - Capture all explicit requests and objectives\n";
    assert!(asked.starts_with(start), "{asked}");
    for heading in [
        "\n2. Conversation Timeline and Progress\n",
        "\n3. Technical Context and Decisions\n",
        "\n4. Files and Code Changes\n",
        "\n5. Active Work and Last Actions (CRITICAL)\n",
        "\n6. Unresolved Issues and Pending Tasks\n",
        "\n7. Immediate Next Step\n",
    ] {
        assert!(asked.contains(heading), "{heading}");
    }
    let (prompt, messages) = asked.split_once("\n---\n").expect("both parts");
    let end = "\n\nBe precise with technical details, file names, and code.\nThe next agent reading this should be \
               able to continue exactly\nwhere we left off without asking clarifying questions.";
    assert!(prompt.ends_with(end), "{prompt}");
    assert!(
        messages.ends_with(
            "  -> open compact_context {}\n  -> other read {}\nresults:\n  open = Tool no response\n  \
             other = Tool no response\nassistant: Understood.\n"
        ),
        "{messages}"
    );
    // The log is unchanged: the answers are in that request alone.
    assert_eq!(view.open_calls(), ["open", "other"]);
}

// S2-11
#[test]
fn missing_results_are_filled_in_next_to_the_others() {
    let text =
        "user: go\nassistant:\n  -> a x {}\n  -> b x {}\nresults:\n  b = here\nuser: stop\nassistant: ok";
    expect![[r#"
        user: go
        assistant:
          -> a x {}
          -> b x {}
        results:
          b = here
          a = Tool no response
        user: stop
        assistant: ok
    "#]]
    .assert_eq(&render(cleaned(view(text).entries()).iter().map(|entry| entry.message.as_ref())));
}

// S2-12
#[test]
fn only_results_at_the_end_are_answered() {
    let whole = view("user: go\nassistant: a\nuser: b");
    assert_eq!(cleaned(whole.entries()), whole.entries());
}

#[test]
fn what_is_added_is_of_its_kind_and_has_no_tokens() {
    let text = "user: go\nassistant:\n  -> a x {}\nresults:\n  a = here\nassistant:\n  -> b x {}";
    let cleaned = cleaned(view(text).entries());
    let kinds: Vec<EntryKind> = cleaned.iter().map(|entry| entry.kind).collect();
    let (said, results) = (EntryKind::Assistant, EntryKind::Results);
    assert_eq!(kinds, [EntryKind::User, said, results, said, results, said]);
    let tokens: Vec<bool> = cleaned.iter().map(|entry| entry.tokens > 0).collect();
    assert_eq!(tokens, [true, true, true, true, false, false]);
}

// S2-06
#[test]
fn a_summary_that_cannot_be_used_changes_nothing() {
    for (answer, why) in [
        ("", "compaction failed: the summary is empty"),
        ("I'm sorry, I can't.", "compaction failed: the summary is a refusal: \"i'm sorry, i can't.\""),
        ("<tool_call>read</tool_call>", "compaction failed: the summary calls a tool"),
    ] {
        let (summarizer, _) = saying(answer);
        let view = view(&long());
        let error = compact_by(&compactor(Some(summarizer)), &view, 1_000, 0, None).expect_err("no summary");
        assert!(matches!(error, CompactionError::Failed(_)), "{error}");
        assert_eq!(error.to_string(), why);
    }
    let mut summarizer = MockSummarizer::new();
    summarizer.expect_summarize().returning(|_| Err(SummaryError::Other("out of order".into())));
    let error = compact_by(&compactor(Some(Arc::new(summarizer))), &view(&long()), 1_000, 0, None)
        .expect_err("no summary");
    assert_eq!(error.to_string(), "compaction failed: the summarizer failed: out of order");
}

#[test]
fn without_a_model_the_summary_is_made_by_rule() {
    let text =
        long() + "assistant: the lexer is rewritten and all of its tests pass now\nuser: good, continue";
    expect![[r#"
        summary: - w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19\n- the lexer is rewritten and all of its tests pass now\n\n## What the user said\n> fix it\n\n[Full text of these messages: ref_id="r-f1a34c7dbff4ef48" (use "read_result").]\n\nLast request from user was: good, continue
        keep r-f1a34c7dbff4ef48 conversation: 439 bytes
        compacted 5 → 1 messages, 77 → 56 tokens (conversation_summary); 56 rewritten
    "#]].assert_eq(&rendered(compact_by(&compactor(None), &view(&text), 1_000, 0, None)));
}

#[test]
fn a_summary_alone_is_not_summarized_again() {
    let after = check(
        &view(&(long() + "user: more")),
        &expect![[r#"
            summary: 3. Technical Context and Decisions\nnone\n\n7. Immediate Next Step\nContinue.\n\n## What the user said\n> fix it\n\n[Full text of these messages: ref_id="r-73d9adb4a0d71519" (use "read_result").]\n\nLast request from user was: more
            keep r-73d9adb4a0d71519 conversation: 350 bytes
            compacted 4 → 1 messages, 65 → 33 tokens (conversation_summary); 33 rewritten
        "#]],
    );
    check(
        &after,
        &expect![[r#"
            error: nothing to compact: it would only go from 33 to 33 tokens and invalidate the prompt cache
        "#]],
    );
}

#[test]
fn the_log_says_how_the_summary_was_made() {
    let (summarizer, _) = saying(WELL);
    let view = view(&long());
    let done = compact_by(&compactor(Some(summarizer)), &view, 1_000, 0, None).expect("it shrinks");
    let notes: Vec<_> = done
        .edit
        .actions
        .iter()
        .map(|action| match action {
            Action::Cover { note: Some(note), .. } => {
                (note.template.as_str(), note.model.as_deref(), note.tokens)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(notes, [("vibe", Some("m"), done.result.after_tokens)]);
}

#[test]
fn without_a_model_the_prose_of_an_earlier_summary_stays() {
    let mut view = view(&(long() + "assistant: the lexer is rewritten and tested\nuser: on"));
    for more in
        ["assistant: the parser is rewritten and tested", "assistant: the docs are written and read again"]
    {
        let done = compact_by(&compactor(None), &view, 1_000, 0, None).expect("it shrinks");
        view = appended(&view, &done);
        let text = format!(
            "{more}\n  -> {id} read {{}}\nresults:\n  {id} = {}\nuser: on",
            words(60),
            id = more.len()
        );
        for mut record in throughline_testkit::records(&text) {
            record.seq = view.last().next();
            view.apply(&record, &throughline_testkit::WordCounter).expect("messages in order apply");
        }
    }
    let done = compact_by(&compactor(None), &view, 1_000, 0, None).expect("it shrinks");
    let text = done.view.entries().first().map(|entry| entry.message.text()).unwrap_or_default();
    expect![[r#"
        - w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19
        - the lexer is rewritten and tested
        - the parser is rewritten and tested
        - the docs are written and read again"#]]
    .assert_eq(text.split("\n\n").next().unwrap_or_default());
}
