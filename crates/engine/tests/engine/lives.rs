//! Random lives of an engine: every operation at every point, cut off, refused, with results in another order, and opened again.

use proptest::prelude::*;
use throughline_continuity::{MessageLog as _, Part};
use throughline_conversation::{ContentBlock, ExchangeId, Message, Seq, project};
use throughline_engine::{
    Change, ContextEngine, EngineError, Next, NullSink, PinTarget, RequestId, TurnError, WaitsFor,
};
use throughline_policies::Estimator;
use throughline_tools::{CancelFlag, ToolOutput};

use super::cut_off::SlowLog;
use super::harness::{WINDOW, answer, call, id, request, rows};
use super::switching::switch;

#[derive(Debug, Clone)]
enum Act {
    User(usize),
    Interject,
    Blank,
    Next,
    /// Text, or this many calls, whose ids may be those of earlier calls.
    Answer(usize, bool),
    Results {
        all: bool,
        reversed: bool,
    },
    Cancel,
    Change(Change),
    Pin(u64),
    Switch(bool),
    Compact,
    Reopen,
}

/// Acts, and how often each waits before it is cut off.
fn acts() -> impl Strategy<Value = Vec<(Act, Option<usize>)>> {
    let group = || (1..5_u64).prop_map(ExchangeId);
    let change = prop_oneof![
        4 => Just(Change::Undo),
        3 => Just(Change::Redo),
        1 => group().prop_map(Change::Drop),
        1 => group().prop_map(Change::Restore),
        1 => Just(Change::UndoCompaction),
        1 => Just(Change::RedoCompaction),
        1 => prop::option::of(0..3_u32).prop_map(Change::Window),
    ];
    let act = prop_oneof![
        6 => (1..6_usize).prop_map(Act::User),
        3 => Just(Act::Interject),
        1 => Just(Act::Blank),
        8 => Just(Act::Next),
        8 => (0..3_usize, any::<bool>()).prop_map(|(calls, again)| Act::Answer(calls, again)),
        6 => (any::<bool>(), any::<bool>()).prop_map(|(all, reversed)| Act::Results { all, reversed }),
        1 => Just(Act::Cancel),
        6 => change.prop_map(Act::Change),
        2 => (1..5_u64).prop_map(Act::Pin),
        2 => any::<bool>().prop_map(Act::Switch),
        2 => Just(Act::Compact),
        3 => Just(Act::Reopen),
    ];
    let waits = prop_oneof![3 => Just(None), 1 => (0..5_usize).prop_map(Some)];
    prop::collection::vec((act, waits), 1..30)
}

struct Life {
    log: SlowLog,
    engine: ContextEngine,
    asked: RequestId,
    calls: usize,
}

fn is_valid<T>(done: Option<Result<T, EngineError>>) -> Option<T> {
    match done? {
        Ok(done) => Some(done),
        Err(EngineError::Order(_) | EngineError::Turn(TurnError::EmptyMessage)) => None,
        Err(error) => panic!("{error}: {error:?}"),
    }
}

impl Life {
    async fn step(&mut self, act: &Act, waits: Option<usize>) {
        let Self { log, engine, asked, calls } = self;
        match act {
            Act::User(size) => {
                is_valid(log.cut_off(waits, engine.user(Message::user(rows(*size, *size)))).await);
            }
            Act::Interject => {
                is_valid(log.cut_off(waits, engine.interject(Message::user("Wait."))).await);
            }
            Act::Blank => assert!(engine.user(Message::user(" ")).await.is_err()),
            Act::Next => {
                let next = is_valid(log.cut_off(waits, engine.next_request()).await);
                if let Some(Next::Request(prepared)) = next {
                    assert_eq!(prepared.request.faults(), []);
                    *asked = prepared.id;
                }
            }
            Act::Answer(count, again) => {
                let mut message = Message::assistant("So.");
                for number in 0..*count {
                    *calls += 1;
                    let name = if *again { format!("c{number}") } else { format!("own{calls}") };
                    message.content.extend(call(&name).content);
                }
                message.content.push(ContentBlock::Text { text: " ".to_owned() });
                is_valid(log.cut_off(waits, engine.answer(*asked, answer(message))).await);
            }
            Act::Results { all, reversed } => {
                let mut ids: Vec<String> = engine.open_calls().map(|call| call.id.clone()).collect();
                if *reversed {
                    ids.reverse();
                }
                ids.truncate(if *all { ids.len() } else { 1 });
                let outputs = ids.into_iter().map(|id| (id, ToolOutput::text("rows")));
                is_valid(log.cut_off(waits, engine.results(outputs)).await);
            }
            Act::Cancel => {
                is_valid(log.cut_off(waits, engine.cancelled(*asked, "Half")).await);
            }
            Act::Change(change) => {
                let waiting = engine.status().waits_for;
                let changed = log.cut_off(waits, engine.change(*change)).await;
                self.refused_changes_nothing(changed.is_some_and(|changed| changed.is_err()), &waiting);
            }
            Act::Pin(group) => {
                let waiting = engine.status().waits_for;
                let _ = log.cut_off(waits, engine.pin(PinTarget::Group(ExchangeId(*group)), None)).await;
                self.refused_changes_nothing(true, &waiting);
            }
            Act::Switch(other) => {
                let name = if *other { "other" } else { "test" };
                log.cut_off(waits, switch(engine, name, WINDOW)).await;
            }
            Act::Compact => drop(log.cut_off(waits, engine.compact(None)).await),
            Act::Reopen => *engine = log.open().await,
        }
        self.laws().await;
    }

    fn refused_changes_nothing(&self, refused: bool, waiting: &WaitsFor) {
        if refused {
            assert_eq!(&self.engine.status().waits_for, waiting);
        }
    }

    /// The view is what the log says, and a process that continues here waits for the same results.
    async fn laws(&mut self) {
        let cancel = CancelFlag::new();
        self.engine.operation(&NullSink, &cancel).flush().await;
        assert_eq!(self.engine.status().unwritten, 0);
        let records = self.log.log.read_page(&id(), Seq(0), Part::All).await.unwrap().records;
        let logged = project(&records, Estimator::default().counter().as_ref()).unwrap();
        let view = self.engine.view();
        assert_eq!(
            (logged.native(), logged.groups(), logged.epoch()),
            (view.native(), view.groups(), view.epoch())
        );
        let open: Vec<&str> = view.open_calls().iter().map(String::as_str).collect();
        if let WaitsFor::Results { calls } = self.engine.status().waits_for {
            assert!(calls.iter().all(|call| open.contains(&call.as_str())), "{calls:?} of {open:?}");
        } else {
            assert_eq!(open, [""; 0], "calls are open, and nothing waits for them");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_operation_at_every_point_leaves_a_session_that_continues(acts in acts()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let log = SlowLog::default();
            let engine = log.open().await;
            let mut life = Life { log, engine, asked: RequestId(0), calls: 0 };
            for (act, waits) in &acts {
                life.step(act, *waits).await;
            }
            life.engine.user(Message::user("And now?")).await.unwrap();
            assert_eq!(request(&mut life.engine).await.request.faults(), []);
            let mut again = life.log.open().await;
            assert_eq!(request(&mut again).await.request.faults(), []);
        });
    }
}
