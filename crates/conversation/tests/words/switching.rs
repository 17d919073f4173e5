//! What a model is shown of messages that another one wrote.

#![expect(clippy::expect_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeMap;
use std::sync::Arc;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_conversation::{
    ContentBlock, Entry, ForeignTools, Image, Message, MessageRecord, ModelRecord, Origin, Record,
    RecordBody, Role, Source, Thinking, View, project, validate,
};
use throughline_testkit::{WordCounter, records, render_view};

use crate::log::{events, log};

fn model(provider: &str, name: &str) -> RecordBody {
    let origin = Arc::new(Origin::new(provider, name));
    RecordBody::Model(ModelRecord {
        origin,
        window: 100_000,
        learnt: BTreeMap::new(),
        foreign: ForeignTools::Digest,
        thinking_from: None,
        thinking: None,
    })
}

fn isolating(provider: &str, name: &str) -> RecordBody {
    match model(provider, name) {
        RecordBody::Model(model) => {
            RecordBody::Model(ModelRecord { foreign: ForeignTools::Isolate, ..model })
        }
        other => other,
    }
}

/// A log of these bodies in front, the notation's messages, and these bodies behind.
fn with(first: RecordBody, notation: &str, last: &[RecordBody]) -> Vec<Record> {
    let messages = records(notation);
    let place = messages.first().expect("a message").clone();
    let bodies = messages.into_iter().map(|record| record.body);
    let bodies = std::iter::once(first).chain(bodies).chain(last.iter().cloned());
    let number = |(index, body)| {
        let seq = throughline_conversation::Seq(index as u64 + 1);
        Record { seq, body, ..place.clone() }
    };
    bodies.enumerate().map(number).collect()
}

fn shown(records: &[Record]) -> View {
    project(records, &WordCounter).expect("a sound log")
}

const SESSION: &str = r#"
user: fix it
assistant: let me look
  -> c1 read {"path":"a.rs"}
  -> c2 read {"path":"b.rs"}
results:
  c1 = fn main() {}
  c2 ! no such file
assistant:
  -> c3 shell {"command":"cargo test"}
results:
  c3 = ok
assistant: done
user: thanks
"#;

fn check(last: &[RecordBody], after: &Expect) {
    let view = shown(&with(model("anthropic", "a1"), SESSION.trim_start(), last));
    assert!(view.violations().is_empty(), "{:?}", view.violations());
    after.assert_eq(&render_view(&view));
}

// S4-03 S4-04
#[test]
fn another_provider_gets_texts_verbatim_and_tool_calls_as_text() {
    check(
        &[model("openai", "o1")],
        &expect![[r#"
        user: fix it
        assistant: let me look
        user: [Tool read with {"path":"a.rs"} answered:]\nfn main() {}
          [Tool read with {"path":"b.rs"} failed:]\nno such file
        assistant: [Worked with tools: shell.]
        user: [Tool shell with {"command":"cargo test"} answered:]\nok
        assistant: done
        user: thanks
    "#]],
    );
}

// S4-04
#[test]
fn a_strict_reader_is_shown_no_foreign_tool_call() {
    check(
        &[isolating("openai", "o1")],
        &expect![[r#"
        user: fix it
        assistant: let me look
        user: [Tool calls of another provider are left out here.]
        assistant: [Tool calls of another provider are left out here.]
        user: [Tool calls of another provider are left out here.]
        assistant: done
        user: thanks
    "#]],
    );
}

// S4-03 S4-27
#[test]
fn the_native_form_is_there_again_when_its_provider_reads_again() {
    let native = shown(&with(model("anthropic", "a1"), SESSION.trim_start(), &[]));
    let to_and_fro = [model("openai", "o1"), model("anthropic", "a1")];
    let view = shown(&with(model("anthropic", "a1"), SESSION.trim_start(), &to_and_fro));
    assert_eq!(view.entries(), native.entries());
    assert_eq!((native.epoch(), view.epoch()), (0, 2));
    assert_eq!(view.tokens(), native.tokens());
}

#[test]
fn a_switch_that_changes_no_message_is_no_edit() {
    let view = shown(&with(model("anthropic", "a1"), "user: hello\nassistant: hi", &[model("openai", "o1")]));
    assert_eq!(view.epoch(), 0);
    assert_eq!(view.reader().map(|reader| reader.origin.model.as_str()), Some("o1"));
}

fn thought() -> Message {
    let thinking = Thinking { text: "hm".to_owned(), signature: Some("s".to_owned()), redacted: None };
    let text = ContentBlock::Text { text: "hi".to_owned() };
    Message { role: Role::Assistant, content: vec![ContentBlock::Thinking(thinking), text] }
}

fn said(message: Message, source: Source) -> RecordBody {
    RecordBody::Message(MessageRecord { message, source, usage: None })
}

// S4-27
#[test]
fn thinking_is_shown_to_the_model_that_thought_it_and_to_no_other() {
    let answer = said(thought(), Source::Model("a1".to_owned()));
    let thinks = |entries: &[Entry]| {
        entries
            .iter()
            .any(|entry| entry.message.content.iter().any(|block| matches!(block, ContentBlock::Thinking(_))))
    };
    for (reader, kept) in [("a1", true), ("a2", false)] {
        let last = [answer.clone(), model("anthropic", reader)];
        let view = shown(&with(model("anthropic", "a1"), "user: hello", &last));
        assert_eq!(thinks(view.entries()), kept, "{reader}");
        assert!(thinks(view.native()), "{reader}");
    }
}

#[test]
fn pictures_of_a_result_stay_with_its_text() {
    let picture = Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
    let mut records =
        with(model("anthropic", "a1"), "user: go\nassistant:\n  -> c1 see {}\nresults:\n  c1 = a cat", &[]);
    let Some(RecordBody::Message(results)) = records.last_mut().map(|record| &mut record.body) else {
        panic!("the last record holds the results");
    };
    let ContentBlock::ToolResult(result) = &mut results.message.content[0] else { panic!("a result") };
    result.images.push(picture.clone());
    let mut next = records.last().expect("a record").clone();
    next.seq = next.seq.next();
    next.body = model("openai", "o1");
    records.push(next);
    let view = shown(&records);
    let last = &view.entries().last().expect("an entry").message.content;
    let text = ContentBlock::Text { text: "[Tool see with {} answered:]\na cat".to_owned() };
    assert_eq!(*last, [text, ContentBlock::Image(picture)]);
}

#[test]
fn long_arguments_are_cut_between_characters_and_results_are_whole() {
    let long = "é".repeat(2_000);
    let notation =
        format!("user: go\nassistant:\n  -> c1 write {{\"text\":\"{long}\"}}\nresults:\n  c1 = {long}");
    let view = shown(&with(model("anthropic", "a1"), &notation, &[model("openai", "o1")]));
    let text = view.entries().last().expect("an entry").message.text();
    let (head, result) = text.split_once('\n').expect("a head and a result");
    assert!(head.len() < 1_100 && head.ends_with("é … answered:]"), "{head}");
    assert_eq!(result, long);
}

proptest! {
    // S4-27
    #[test]
    fn the_view_of_every_target_model_is_valid_and_has_every_text(events in events(), readers in prop::collection::vec(0usize..3, 0..4)) {
        let mut records = log(&events);
        let before = shown(&records);
        let names = [("anthropic", "a1"), ("openai", "o1"), ("ollama", "l1")];
        for reader in readers {
            let (provider, name) = names[reader];
            let seq = records.last().map_or(throughline_conversation::Seq(1), |record| record.seq.next());
            let Some(place) = records.last().cloned() else { return Ok(()) };
            records.push(Record { seq, body: model(provider, name), ..place });
        }
        let view = shown(&records);
        prop_assert_eq!(view.native(), before.native());
        prop_assert_eq!(view.entries().len(), view.native().len());
        prop_assert_eq!(view.violations(), validate(view.transcript().messages()));
        prop_assert_eq!(view.violations(), before.violations());
        for (entry, native) in view.entries().iter().zip(view.native()) {
            prop_assert_eq!(entry.message.role, native.message.role);
            let texts: Vec<&str> = entry.message.texts().collect();
            prop_assert!(native.message.texts().all(|text| texts.contains(&text)));
        }
    }

    #[test]
    fn what_another_would_see_is_what_it_sees_then(events in events(), other in any::<bool>(), strict in any::<bool>()) {
        let mut records = log(&events);
        let before = shown(&records);
        let Some(place) = records.last().cloned() else { return Ok(()) };
        let (provider, name) = if other { ("openai", "o1") } else { ("anthropic", "a1") };
        let body = if strict { isolating(provider, name) } else { model(provider, name) };
        let RecordBody::Model(record) = &body else { return Ok(()) };
        let seen = before.seen_by(record.reader(), &WordCounter);
        prop_assert_eq!((seen.last(), seen.epoch()), (before.last(), before.epoch()));
        records.push(Record { seq: place.seq.next(), body, ..place });
        let then = shown(&records);
        prop_assert_eq!(seen.entries(), then.entries());
        prop_assert_eq!((seen.native(), seen.reader(), seen.tokens()), (then.native(), then.reader(), then.tokens()));
    }

    #[test]
    fn another_counter_counts_the_same_view(events in events()) {
        let view = shown(&log(&events));
        prop_assert_eq!(view.recounted(&WordCounter), view);
    }
}

#[test]
fn a_record_by_the_former_name_is_read() {
    let read = |text: &str| serde_json::from_str::<ForeignTools>(text).unwrap();
    assert_eq!((read("\"withhold\""), read("\"isolate\"")), (ForeignTools::Isolate, ForeignTools::Isolate));
    assert_eq!(serde_json::to_string(&ForeignTools::Isolate).unwrap(), "\"isolate\"");
}
