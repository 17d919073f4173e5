//! A list that a framework owns: extended, rewound, edited, handed back, and after a restart.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use throughline_continuity::{InMemoryMessageLog, MessageLog as _};
use throughline_conversation::{ContentBlock, EntryKind, Image, Message, Role};
use throughline_engine::{Change, ContextEngine, EngineError, Event, EventSink, MessageRef, Synced};

use super::harness::{answer, builder, call, id, open, request, result, rows};

/// The conversation of one step: a question, or a call with its result.
fn step(seed: usize, large: bool) -> Vec<Message> {
    let id = format!("c{seed}");
    if seed % 7 == 6 {
        // Results as they came, the later call's first.
        let other = format!("c{seed}b");
        let mut both = call(&id);
        both.content.extend(call(&other).content);
        let mut results = result(&other, &rows(seed + 1, if large { 90 } else { 4 }));
        results.content.extend(result(&id, &rows(seed, 4)).content);
        return vec![Message::user(format!("Dump both {seed}.")), both, results];
    }
    match seed % 3 {
        0 => vec![Message::user(format!("Question {seed}?"))],
        1 => vec![
            Message::user(format!("Dump {seed}.")),
            call(&id),
            result(&id, &rows(seed, if large { 90 } else { 4 })),
        ],
        _ => vec![Message::user(format!("Say {seed}.")), Message::assistant(format!("Answer {seed}."))],
    }
}

fn list(seeds: &[usize]) -> Vec<Message> {
    let mut list: Vec<Message> = Vec::new();
    for (place, seed) in seeds.iter().enumerate() {
        list.extend(step(place * 100 + seed, seed % 5 == 0));
    }
    list
}

/// The user's words that the view shows whole.
fn words(engine: &ContextEngine) -> Vec<String> {
    let entries = engine.view().entries().iter().filter(|entry| entry.kind == EntryKind::User);
    entries.map(|entry| entry.message.text()).collect()
}

fn user_texts(list: &[Message]) -> Vec<String> {
    let said = list.iter().filter(|message| message.role == Role::User && !message.text().is_empty());
    said.map(Message::text).collect()
}

/// The list ends with the user's side, as it does before a call of a model.
fn ended(mut list: Vec<Message>) -> Vec<Message> {
    list.push(Message::user("Go."));
    list
}

async fn check(engine: &mut ContextEngine, list: &[Message]) {
    engine.sync(list).await.unwrap();
    let prepared = request(engine).await;
    assert_eq!(prepared.request.faults(), []);
    let shown = words(engine);
    let said = user_texts(list);
    let mut place = 0;
    for text in &shown {
        let found = said[place..].iter().position(|own| own == text);
        place += found.unwrap_or_else(|| panic!("{text:?} is in the view and not in the list")) + 1;
    }
    assert_eq!(shown.last(), said.last(), "the last word of the user is in view");
    for (entry, reference) in engine.view().entries().iter().zip(engine.message_refs()) {
        if let MessageRef::Given(range) = reference {
            let given: Vec<_> = list[range].iter().flat_map(|message| message.content.clone()).collect();
            assert!(
                entry.message.content.iter().all(|block| given.contains(block)),
                "a reference names its messages"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_list_that_grows_shrinks_and_changes_gives_valid_requests(
        lives in prop::collection::vec((prop::collection::vec(0_usize..50, 0..12), 0_usize..12, any::<bool>()), 1..6)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let log = Arc::new(InMemoryMessageLog::default());
            let mut engine = open(&log).await;
            let mut seeds: Vec<usize> = Vec::new();
            for (more, cut, restarts) in lives {
                seeds.truncate(seeds.len().saturating_sub(cut));
                seeds.extend(more);
                let messages = ended(list(&seeds));
                check(&mut engine, &messages).await;
                let again = engine.sync(&messages).await.unwrap();
                assert_eq!((again.appended, again.hidden), (0, 0), "the same list changes nothing");
                if restarts {
                    engine.close().await;
                    engine = open(&log).await;
                    let again = engine.sync(&messages).await.unwrap();
                    assert_eq!((again.appended, again.hidden), (0, 0), "nor does it after a restart");
                }
            }
        });
    }
}

#[tokio::test]
async fn only_what_is_new_is_appended() {
    let mut engine = open(&Arc::default()).await;
    let mut messages = ended(list(&[1, 2]));
    let first = engine.sync(&messages).await.unwrap();
    assert_eq!(first, Synced { known: 0, appended: messages.len(), hidden: 0 });
    request(&mut engine).await;
    messages.push(Message::assistant("Gone."));
    messages.push(Message::user("And now?"));
    let next = engine.sync(&messages).await.unwrap();
    assert_eq!(next, Synced { known: messages.len() - 2, appended: 2, hidden: 0 });
    assert_eq!(engine.requests(), 1);
    assert!(engine.status().to_string().contains("waits for nothing"), "the request is answered");
}

#[tokio::test]
async fn a_rewound_list_is_a_recorded_edit() {
    let log = Arc::new(InMemoryMessageLog::default());
    let mut engine = open(&log).await;
    let long = ended(list(&[1, 1, 1]));
    engine.sync(&long).await.unwrap();
    let epoch = engine.view().epoch();
    let short = ended(list(&[1]));
    let synced = engine.sync(&short).await.unwrap();
    assert_eq!((synced.known, synced.appended), (short.len() - 1, 1));
    assert!(synced.hidden > 0 && engine.view().epoch() > epoch);
    assert_eq!(words(&engine), user_texts(&short));
    engine.close().await;
    assert_eq!(words(&open(&log).await), user_texts(&short), "it is in the log");
}

#[tokio::test]
async fn what_the_user_hid_comes_back_with_a_list_that_has_it() {
    let mut engine = open(&Arc::default()).await;
    let messages = ended(list(&[1, 2]));
    engine.sync(&messages).await.unwrap();
    engine.change(Change::Undo).await.unwrap();
    assert_eq!(words(&engine), user_texts(&messages[..messages.len() - 1]));
    let tail = engine.sync_tail(messages.len(), &[]).await.unwrap_err();
    assert!(tail.to_string().contains("hand over the whole list"), "{tail}");
    let synced = engine.sync(&messages).await.unwrap();
    assert_eq!((synced.known, synced.appended, synced.hidden), (messages.len() - 1, 1, 0));
    assert_eq!(words(&engine), user_texts(&messages));
}

/// A list with two calls, whose ids are those of earlier calls, and results in another order; one has a picture that cannot be shown.
fn reordered() -> Vec<Message> {
    let mut both = call("c1");
    both.content.extend(call("c2").content);
    let (first, second) = (result("c1", "rows of one"), result("c2", "rows of two"));
    let mut list = vec![Message::user("Dump."), both.clone(), second.clone(), first];
    list.extend([Message::assistant("Done."), Message::user("Again."), both, second]);
    let picture = Image { media_type: "image/png".to_owned(), data: "bm9uZQ==".to_owned() };
    let mut with_picture = result("c1", "rows of three");
    for block in &mut with_picture.content {
        if let ContentBlock::ToolResult(result) = block {
            result.images.push(picture.clone());
        }
    }
    list.extend([with_picture, Message::user("And now?")]);
    list
}

#[tokio::test]
async fn results_in_another_order_are_known_after_a_restart() {
    let log = Arc::default();
    let list = reordered();
    let mut engine = open(&log).await;
    engine.sync(&list).await.unwrap();
    let shown: Vec<String> = engine
        .view()
        .entries()
        .iter()
        .flat_map(|entry| {
            entry.message.tool_results().map(|result| result.content.clone()).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(shown[..2], ["rows of one", "rows of two"]);
    assert!(shown[2].starts_with("rows of three\n[A picture"), "{}", shown[2]);
    assert_eq!(shown[3], "rows of two");
    let mut again = open(&log).await;
    let synced = again.sync(&list).await.unwrap();
    assert_eq!(synced, Synced { known: list.len(), appended: 0, hidden: 0 });
    let mut sorted = list.clone();
    sorted.swap(2, 3);
    assert_eq!(again.sync(&sorted).await.unwrap().appended, 0, "the order says nothing");
}

#[tokio::test]
async fn a_list_whose_last_step_lacks_a_result_is_refused() {
    let mut engine = open(&Arc::default()).await;
    let list = reordered();
    let refused = engine.sync(&list[..3]).await.unwrap_err();
    assert!(refused.to_string().contains("call c1 has no result yet"), "{refused}");
    assert!(engine.view().entries().is_empty());
}

#[tokio::test]
async fn an_edited_result_takes_its_step_with_it() {
    let mut engine = open(&Arc::default()).await;
    let mut messages = ended(list(&[1]));
    engine.sync(&messages).await.unwrap();
    messages[2] = result("c1", "another text");
    engine.sync(&messages).await.unwrap();
    let prepared = request(&mut engine).await;
    let shown: Vec<String> = prepared
        .request
        .transcript
        .messages()
        .flat_map(|message| message.tool_results().map(|result| result.content.clone()).collect::<Vec<_>>())
        .collect();
    assert_eq!(shown, ["another text"]);
}

#[tokio::test]
async fn the_engines_own_view_is_known_when_it_is_handed_back() {
    let mut engine = open(&Arc::default()).await;
    let seeds: Vec<usize> = (0..400).map(|_| 1).collect();
    engine.sync(&ended(list(&seeds))).await.unwrap();
    let prepared = request(&mut engine).await;
    assert!(engine.view().epoch() > 0, "the list was compacted");
    let mut back: Vec<Message> = prepared.request.transcript.messages().cloned().collect();
    drop(prepared);
    back.push(Message::assistant("Gone."));
    back.push(Message::user("And now?"));
    let synced = engine.sync(&back).await.unwrap();
    assert_eq!(synced, Synced { known: back.len() - 2, appended: 2, hidden: 0 });
}

#[tokio::test]
async fn a_list_that_is_no_conversation_is_refused_and_changes_nothing() {
    let mut engine = open(&Arc::default()).await;
    engine.sync(&[Message::user("Hi.")]).await.unwrap();
    let cases: [(&[Message], &str); 4] = [
        (&[Message::assistant("Hi.")], "message 0 cannot be taken: the first message is the model's"),
        (&[Message::user("a"), call("c1"), Message::user("b")], "message 2 cannot be taken: call c1"),
        (&[Message::user("a"), call("c1")], "message 1 cannot be taken: call c1 has no result yet"),
        (&[Message::user("a"), result("c1", "x")], "message 1 cannot be taken: a result stands behind no"),
    ];
    for (messages, says) in cases {
        let refused = engine.sync(messages).await.unwrap_err();
        assert!(
            matches!(refused, EngineError::Message { .. }) && refused.to_string().starts_with(says),
            "{refused}"
        );
    }
    assert_eq!(words(&engine), ["Hi."]);
}

#[derive(Debug, Default)]
struct Turns(Mutex<Vec<String>>);

impl EventSink for Turns {
    fn emit(&self, event: Event) {
        let shown = match event {
            Event::TurnStarted { text, .. } => format!("begins: {text}"),
            Event::TurnEnded { stop, error } => {
                format!("ends: {}", stop.or(error.map(str::to_owned)).unwrap())
            }
            _ => return,
        };
        self.0.lock().unwrap().push(shown);
    }
}

#[tokio::test]
async fn the_newest_turn_of_a_list_begins_and_ends_once() {
    let (log, turns) = (Arc::new(InMemoryMessageLog::default()), Arc::new(Turns::default()));
    let mut engine = builder(&log).events(Arc::clone(&turns) as _).open(id()).await.unwrap();
    let seen = || std::mem::take(&mut *turns.0.lock().unwrap());
    let mut list = [
        [Message::user("One?"), Message::assistant("1.")],
        [Message::user("Two?"), Message::assistant("2.")],
    ]
    .concat();
    list.push(Message::user("Dump."));
    engine.sync(&list).await.unwrap();
    assert_eq!(seen(), ["begins: Dump."], "earlier turns ran elsewhere");
    request(&mut engine).await;
    list.extend([call("c1"), result("c1", &rows(1, 4))]);
    engine.sync(&list).await.unwrap();
    assert_eq!(seen(), [""; 0], "a call does not end a turn");
    request(&mut engine).await;
    list.push(Message::assistant("Dumped."));
    engine.sync(&list).await.unwrap();
    engine.sync(&list).await.unwrap();
    assert_eq!(seen(), ["ends: end_turn"]);
    list.push(Message::user("Again."));
    engine.sync(&list).await.unwrap();
    let open = request(&mut engine).await.id;
    engine.answer(open, answer(Message::assistant("No."))).await.unwrap();
    assert_eq!(seen(), ["begins: Again.", "ends: end_turn"]);
    list.extend([Message::assistant("No."), Message::user("Well?")]);
    engine.sync(&list).await.unwrap();
    list.pop();
    list.push(Message::user("Please?"));
    engine.sync(&list).await.unwrap();
    assert_eq!(seen(), ["begins: Well?", "ends: cancelled", "begins: Please?"]);
}

/// The results that the model is shown.
fn shown_results(engine: &ContextEngine) -> Vec<String> {
    let entries = engine.view().entries().iter();
    entries
        .flat_map(|entry| entry.message.tool_results().map(|one| one.content.clone()).collect::<Vec<_>>())
        .collect()
}

/// A session whose model has called by hand, and the caller's list with the result.
async fn called(log: &Arc<InMemoryMessageLog>) -> (ContextEngine, Vec<Message>) {
    let mut engine = open(log).await;
    engine.user(Message::user("What is the balance?")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.answer(asked, answer(call("c1"))).await.unwrap();
    let list = vec![Message::user("What is the balance?"), call("c1"), result("c1", "It is 4217.")];
    (engine, list)
}

#[tokio::test]
async fn a_list_brings_the_results_of_calls_that_were_cut_off() {
    // The user says something else, the model is another one behind a restart, or the turn is hidden and shown again.
    for cut_off in ["message", "restart", "change"] {
        let log = Arc::default();
        let (mut engine, mut list) = called(&log).await;
        match cut_off {
            "message" => {
                engine.user(Message::user("Stop.")).await.unwrap();
                list.push(Message::user("Stop."));
            }
            "restart" => {
                engine.close().await;
                engine = reopened_by_another_model(&log).await;
            }
            _ => {
                engine.change(Change::Undo).await.unwrap();
                engine.change(Change::Redo).await.unwrap();
            }
        }
        let synced = engine.sync(&list).await.unwrap();
        assert_eq!((synced.known, synced.appended), (1, list.len() - 1), "{cut_off}");
        assert_eq!(shown_results(&engine)[..], ["It is 4217."][..], "{cut_off}");
        assert_eq!(request(&mut engine).await.request.faults(), [], "{cut_off}");
        let again = engine.sync(&list).await.unwrap();
        assert_eq!((again.appended, again.hidden), (0, 0), "{cut_off}");
    }
}

async fn reopened_by_another_model(log: &Arc<InMemoryMessageLog>) -> ContextEngine {
    let info = throughline_completion::ModelInfo {
        provider: "other".to_owned(),
        ..throughline_completion::ModelInfo::with_window("other", super::harness::WINDOW, 2_000)
    };
    let settings = throughline_policies::Policy::Throughline.settings(super::harness::WINDOW, 2_000);
    let counter = throughline_policies::Estimator::default().counter();
    ContextEngine::builder(info, counter, settings).log(Arc::clone(log) as _).open(id()).await.unwrap()
}

#[tokio::test]
async fn a_tail_from_the_beginning_is_the_whole_list() {
    let list = [Message::user("a"), Message::assistant("b"), Message::user("c")];
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.sync(&list).await.unwrap();
    engine.close().await;
    let mut engine = open(&log).await;
    let early = engine.sync_tail(2, &list[2..]).await.unwrap_err();
    assert!(matches!(early, EngineError::WholeList { .. }), "{early}");
    let synced = engine.sync_tail(0, &list).await.unwrap();
    assert_eq!(synced, Synced { known: 3, appended: 0, hidden: 0 });
    let mut by_hand = open(&Arc::default()).await;
    by_hand.user(list[0].clone()).await.unwrap();
    assert_eq!(by_hand.sync_tail(0, &list).await.unwrap(), Synced { known: 1, appended: 2, hidden: 0 });
    assert_eq!(words(&by_hand), ["a", "c"]);
}

#[tokio::test]
async fn an_edited_answer_is_no_answer_to_the_open_request() {
    let log = Arc::new(InMemoryMessageLog::default());
    let mut engine = open(&log).await;
    let list = [Message::user("one"), Message::assistant("1"), Message::user("two")];
    engine.sync(&list).await.unwrap();
    request(&mut engine).await;
    let edited = [list[0].clone(), Message::assistant("one"), list[2].clone()];
    engine.sync(&edited).await.unwrap();
    assert_eq!(log.newest(&id(), "receipt").await.unwrap(), None);
}

#[tokio::test]
async fn a_picture_in_malformed_base64_becomes_a_line() {
    let picture =
        |data: &str| ContentBlock::Image(Image { media_type: "image/png".into(), data: data.into() });
    let bad = Message { role: Role::User, content: vec![picture("!!!"), picture("aW1n")] };
    let mut engine = open(&Arc::default()).await;
    engine.sync(std::slice::from_ref(&bad)).await.unwrap();
    let shown = &engine.view().entries()[0].message.content;
    let ContentBlock::Text { text } = &shown[0] else { panic!("{shown:?}") };
    assert_eq!(text, "[A picture of 2 bytes is not shown: its base64 is malformed.]");
    assert_eq!(shown[1], picture("aW1n"));
    assert_eq!(engine.sync(&[bad]).await.unwrap(), Synced { known: 1, appended: 0, hidden: 0 });
}
