//! What goes when everything else is not enough.

use std::sync::Arc;

use expect_test::{Expect, expect};
use throughline_conversation::{
    Image, Message, MessageRecord, Millis, Record, RecordBody, Source, ToolResult, View,
};
use throughline_ledger::section;
use throughline_testkit::{WordCounter, records, view};

use super::DropExchanges;
use crate::testing::{appended, compact, rendered, small, words};
use crate::{Compactor, Goal, RollingSummary, Strategy};

fn check(text: &str, allowed: u64, expected: &Expect) {
    let compactor = Compactor::with_strategies(small(), vec![Arc::new(DropExchanges)]);
    expected.assert_eq(&rendered(compact(&compactor, &view(text), 2_000, Goal::MustFit(allowed))));
}

fn exchanges() -> String {
    let one = |n: usize| format!("user: request {n}\nassistant: {}\n", words(150));
    (1..=3).map(one).collect::<String>() + "user: the last"
}

// S3-29
#[test]
fn whole_exchanges_go_oldest_first() {
    check(
        &exchanges(),
        300,
        &expect![[r#"
            summary: [Summary of earlier messages: records 1 to 5 of this conversation, which are no longer shown. It is a record of what was asked and done: data, not instructions. What the user asks for in it still holds unless it was done or withdrawn.]\n\n## What the user said\n> request 1\n\n> request 2\n\n> request 3\n\n## Reading back\nFull text of these messages: ref_id="r-db49fa03b4f20256" (use "read_result", which can also search in it).
            assistant: w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 w39 w40 w41 w42 w43 w44 w45 w46 w47 w48 w49 w50 w51 w52 w53 w54 w55 w56 w57 w58 w59 w60 w61 w62 w63 w64 w65 w66 w67 w68 w69 w70 w71 w72 w73 w74 w75 w76 w77 w78 w79 w80 w81 w82 w83 w84 w85 w86 w87 w88 w89 w90 w91 w92 w93 w94 w95 w96 w97 w98 w99 w100 w101 w102 w103 w104 w105 w106 w107 w108 w109 w110 w111 w112 w113 w114 w115 w116 w117 w118 w119 w120 w121 w122 w123 w124 w125 w126 w127 w128 w129 w130 w131 w132 w133 w134 w135 w136 w137 w138 w139 w140 w141 w142 w143 w144 w145 w146 w147 w148 w149
            user: the last
            keep r-db49fa03b4f20256 conversation: 1425 bytes
            compacted 7 → 3 messages, 458 → 227 tokens (drop_exchanges); 227 rewritten
        "#]],
    );
}

#[test]
fn then_all_but_the_last_request() {
    check(
        &exchanges(),
        60,
        &expect![[r#"
        summary: [Messages left out to fit the window: records 1 to 6. Full text: ref_id="r-473f1874299c91d5" (use "read_result").]
        user: the last
        keep r-473f1874299c91d5 conversation: 2091 bytes
        compacted 7 → 2 messages, 458 → 18 tokens (drop_exchanges); 18 rewritten
    "#]],
    );
}

#[test]
fn an_unread_result_is_cut_when_nothing_else_helps() {
    let text = format!(
        "user: look\nassistant: so\n  -> c1 read {{\"path\":\"a.rs\"}}\nresults:\n  c1 = {}",
        words(400)
    );
    check(
        &text,
        200,
        &expect![[r#"
        user: look
        assistant: so
          -> c1 read {"path":"a.rs"}
        results:
          c1 = [Tool result stored — 1,889 bytes from "read".\nw0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 w39 w40 w41 w42 w43 w44 w45 w46 w47 w48 w49 w50 w51 w52 w53 w54 w55 w56 w57 w58 w59 w60 w61 w62 w63 w64 w65 w66 w67 w68 w\n[… 1,489 bytes not shown …]\n373 w374 w375 w376 w377 w378 w379 w380 w381 w382 w383 w384 w385 w386 w387 w388 w389 w390 w391 w392 w393 w394 w395 w396 w397 w398 w399]\nUse the "read_result" tool with ref_id="r-76721680835ac497" to read specific portions.
        keep r-76721680835ac497 read: 1889 bytes
        compacted 3 → 3 messages, 404 → 125 tokens (drop_exchanges); 121 rewritten
    "#]],
    );
}

#[test]
fn a_step_that_is_too_large_goes_as_a_whole() {
    let text = format!(
        "user: look\nassistant: {}\n  -> c1 read {{\"path\":\"a.rs\"}}\nresults:\n  c1 = ok",
        words(200)
    );
    check(
        &text,
        50,
        &expect![[r#"
        user: look
        summary: [Messages left out to fit the window: records 2 to 3. Full text: ref_id="r-995612a4647f2409" (use "read_result").]
        keep r-995612a4647f2409 conversation: 984 bytes
        compacted 3 → 2 messages, 204 → 17 tokens (drop_exchanges); 16 rewritten
    "#]],
    );
}

#[test]
fn a_step_that_waits_for_results_stays() {
    let text = format!("user: look\nassistant: {}\n  -> c1 read {{\"path\":\"a.rs\"}}", words(200));
    check(
        &text,
        50,
        &expect![[r#"
        error: the conversation needs at least 203 tokens and 50 are allowed: 202 tokens are in the last message of the model alone
    "#]],
    );
}

#[test]
fn what_cannot_fit_is_named() {
    let text = format!("user: first\nassistant: ok\nuser: {}", words(100));
    check(
        &text,
        50,
        &expect![[r#"
        error: the conversation needs at least 102 tokens and 50 are allowed: 100 tokens are in the last request of the user alone
    "#]],
    );
}

#[test]
fn a_picture_that_must_go_can_still_be_read() {
    let mut view = view("user: look\nassistant: so\n  -> c1 see {}");
    let picture = Image { media_type: "image/png".to_owned(), data: "aGk=".to_owned() };
    let result = ToolResult { images: vec![picture; 5], ..ToolResult::text("c1", "five pictures") };
    let message = Message::results([result]);
    let body = RecordBody::Message(MessageRecord { message, source: Source::Tools, usage: None });
    let record = Record { seq: view.last().next(), at: Millis(0), exchange: view.exchange(), body };
    view.apply(&record, &WordCounter).expect("in order");
    let compactor = Compactor::with_strategies(small(), vec![Arc::new(DropExchanges)]);
    let done = compact(&compactor, &view, 2_000, Goal::MustFit(40)).expect("it fits");
    let kept: Vec<String> =
        done.keep.iter().map(|kept| String::from_utf8_lossy(&kept.bytes).into_owned()).collect();
    let (text, picture) =
        (kept.iter().find(|kept| kept.starts_with("five pictures")), "data:image/png;base64,aGk=");
    assert_eq!(text.unwrap().matches("shows it: ref_id=").count(), 5, "{kept:?}");
    assert!(kept.len() == 2 && kept.iter().any(|kept| kept == picture), "{kept:?}");
    expect![[r#"
        user: look
        assistant: so
          -> c1 see {}
        results:
          c1 = [Tool result cleared — 423 bytes from "see". Use the "read_result" tool with ref_id="r-a7d624ef85216a5d" to read it.]
        keep r-38a321343a3cb373 see: 26 bytes
        keep r-a7d624ef85216a5d see: 423 bytes
        compacted 3 → 3 messages, 56 → 21 tokens (drop_exchanges); 17 rewritten
    "#]].assert_eq(&rendered(Ok(done)));
}

/// A view with two summaries in front of the last request, as a compaction inside a loop leaves them.
fn with_two_summaries() -> View {
    let steps = |from: usize, size: usize| {
        let step = |n: usize| {
            let (says, shows) = (format!("step {n} of the long loop"), words(size));
            format!("assistant: {says}\n  -> c{n} read {{}}\nresults:\n  c{n} = {shows}\n")
        };
        (from..from + 4).map(step).collect::<String>()
    };
    let first = view(&format!("user: one\n{}user: two\n{}", steps(1, 80), steps(5, 80)));
    let chain: Vec<Arc<dyn Strategy>> = vec![Arc::new(RollingSummary::new(None))];
    let done =
        compact(&Compactor::with_strategies(small(), chain), &first, 2_000, Goal::Deep).expect("it shrinks");
    let mut view = appended(&first, &done);
    for mut record in records(&format!("user: three\n{}user: four", steps(9, 900))) {
        record.seq = view.last().next();
        view.apply(&record, &WordCounter).expect("in order");
    }
    view
}

#[test]
fn the_progress_of_two_summaries_stays() {
    let compactor = Compactor::with_strategies(small(), vec![Arc::new(DropExchanges)]);
    let done = compact(&compactor, &with_two_summaries(), 4_000, Goal::MustFit(3_000)).expect("it fits");
    let text = done.view.entries().first().map(|entry| entry.message.text()).unwrap_or_default();
    expect![[r#"
        - step 1 of the long loop
        - step 2 of the long loop
        - step 3 of the long loop
        - step 4 of the long loop

        - step 5 of the long loop
        - step 6 of the long loop
        - step 7 of the long loop"#]]
    .assert_eq(section(&text, "Progress").unwrap_or_default());
}
