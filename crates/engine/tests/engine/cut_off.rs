//! Operations whose future is dropped: by a timeout, or another branch of a `select!`.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use async_trait::async_trait;
use throughline_completion::{Answer, ModelError, StopReason};
use throughline_continuity::{InMemoryMessageLog, LogError, LogPage, MessageLog, Part, read_all};
use throughline_conversation::{Message, Record, RecordBody, Seq, SessionId, Usage};
use throughline_engine::{Answered, Change, ContextEngine, EngineError, OrderError, Refused, WaitsFor};
use throughline_tools::ToolOutput;

use super::harness::{WINDOW, answer, builder, call, id, request, rows as large_rows};
use super::switching::switch;

/// A log that gives way before and behind each access, while it is slow.
#[derive(Debug, Default, Clone)]
pub(super) struct SlowLog {
    pub(super) log: Arc<InMemoryMessageLog>,
    slow: Arc<AtomicBool>,
}

impl SlowLog {
    pub(super) async fn open(&self) -> ContextEngine {
        builder(&self.log).log(Arc::new(self.clone())).open(id()).await.unwrap()
    }

    async fn give_way(&self) {
        if self.slow.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
    }

    /// Runs an operation until it has waited this many times. `None`: it was cut off.
    pub(super) async fn cut_off<T>(
        &self,
        waits: Option<usize>,
        operation: impl Future<Output = T>,
    ) -> Option<T> {
        self.slow.store(waits.is_some(), Ordering::Relaxed);
        let left = waits.unwrap_or(usize::MAX);
        let done = Limited { operation: Box::pin(operation), left }.await;
        self.slow.store(false, Ordering::Relaxed);
        done
    }
}

struct Limited<'o, T> {
    operation: Pin<Box<dyn Future<Output = T> + 'o>>,
    left: usize,
}

impl<T> Future for Limited<'_, T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        match self.operation.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if self.left == 0 => Poll::Ready(None),
            Poll::Pending => {
                self.left -= 1;
                Poll::Pending
            }
        }
    }
}

#[async_trait]
impl MessageLog for SlowLog {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.give_way().await;
        self.log.append(session, records).await?;
        self.give_way().await;
        Ok(())
    }

    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError> {
        self.give_way().await;
        self.log.read_page(session, after, part).await
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        self.give_way().await;
        self.log.last(session).await
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        self.give_way().await;
        self.log.newest(session, kind).await
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.give_way().await;
        self.log.redact(session, records).await
    }
}

/// A long message of the user.
fn large(seed: usize) -> String {
    large_rows(seed, 60)
}

fn rows() -> [(String, ToolOutput); 1] {
    [("c1".to_owned(), ToolOutput::text("rows"))]
}

#[tokio::test]
async fn an_answer_that_was_cut_off_can_be_repeated_and_its_calls_be_answered() {
    for waits in 0..4 {
        let log = SlowLog::default();
        let mut engine = log.open().await;
        engine.user(Message::user("Dump.")).await.unwrap();
        let asked = request(&mut engine).await.id;
        log.cut_off(Some(waits), engine.keyed("a").answer(asked, answer(call("c1")))).await;
        let again = engine.keyed("a").answer(asked, answer(call("c1"))).await.unwrap();
        assert!(matches!(&again, Answered::Calls(calls) if calls.len() == 1), "{waits}: {again:?}");
        let early = engine.interject(Message::user("Wait.")).await.unwrap_err();
        assert!(matches!(early, EngineError::Order(OrderError::CallsOpen(_))), "{waits}: {early}");
        log.cut_off(Some(waits), engine.keyed("b").results(rows())).await;
        assert_eq!(engine.keyed("b").results(rows()).await.unwrap(), Answered::Request);
        request(&mut engine).await;
        assert_eq!((engine.view().entries().len(), log.open().await.view().entries().len()), (3, 3));
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_off_without_a_key_has_its_calls_open() {
    for waits in 0..4 {
        let log = SlowLog::default();
        let mut engine = log.open().await;
        engine.user(Message::user("Dump.")).await.unwrap();
        let asked = request(&mut engine).await.id;
        log.cut_off(Some(waits), engine.answer(asked, answer(call("c1")))).await;
        assert_eq!(engine.status().waits_for, WaitsFor::Results { calls: vec!["c1".to_owned()] });
        engine.results(rows()).await.unwrap();
        request(&mut engine).await;
    }
}

#[tokio::test]
async fn a_change_that_was_cut_off_is_shown_as_the_log_has_it() {
    for waits in 0..10 {
        let log = SlowLog::default();
        let mut engine = log.open().await;
        for text in ["One.", "Two."] {
            engine.user(Message::user(text)).await.unwrap();
            let asked = request(&mut engine).await.id;
            engine.answer(asked, answer(Message::assistant("Done."))).await.unwrap();
        }
        log.cut_off(Some(waits), engine.change(Change::Undo)).await;
        engine.user(Message::user("Three.")).await.unwrap();
        assert_eq!(engine.status().unwritten, 0, "{waits}");
        let again = log.open().await;
        assert_eq!(engine.view().native(), again.view().native(), "{waits}");
        request(&mut engine).await;
    }
}

#[tokio::test]
async fn a_list_that_was_cut_off_is_taken_over_once() {
    for waits in 0..8 {
        let log = SlowLog::default();
        let mut engine = log.open().await;
        let mut list = vec![Message::user("One."), Message::assistant("1."), Message::user("Two.")];
        log.cut_off(Some(waits), engine.sync(&list)).await;
        engine.sync(&list).await.unwrap();
        let asked = request(&mut engine).await.id;
        list.extend([Message::assistant("2."), Message::user("Three.")]);
        log.cut_off(Some(waits), engine.answer(asked, answer(Message::assistant("2.")))).await;
        engine.sync(&list).await.unwrap();
        let shown: Vec<String> = engine.view().entries().iter().map(|entry| entry.message.text()).collect();
        assert_eq!(shown, ["One.", "1.", "Two.", "2.", "Three."], "{waits}");
    }
}

#[tokio::test]
async fn a_switch_that_was_cut_off_leaves_the_model_its_window() {
    let mut cut = 0;
    for waits in 0..12 {
        let log = SlowLog::default();
        let mut engine = log.open().await;
        for text in 0..12 {
            engine.user(Message::user(large(text))).await.unwrap();
            let asked = request(&mut engine).await.id;
            engine.answer(asked, answer(Message::assistant("Done."))).await.unwrap();
        }
        let switched = log.cut_off(Some(waits), switch(&mut engine, "small", 6_000)).await;
        cut += usize::from(switched.is_none());
        let window = engine.status().window.total;
        assert_eq!(window, if engine.model().name == "small" { 6_000 } else { WINDOW }, "{waits}");
    }
    assert!(cut > 1, "{cut}");
}

#[tokio::test]
async fn a_refusal_that_was_cut_off_can_be_repeated() {
    for waits in 0..12 {
        let log = SlowLog::default();
        let mut engine = log.open().await;
        for text in 0..6 {
            engine.user(Message::user(large(text))).await.unwrap();
            let asked = request(&mut engine).await.id;
            engine.answer(asked, answer(Message::assistant("Done."))).await.unwrap();
        }
        engine.user(Message::user("And now?")).await.unwrap();
        let asked = request(&mut engine).await.id;
        let overflow = || ModelError::Overflow { message: "too long".into(), limit: None, tokens: None };
        if log.cut_off(Some(waits), engine.refused(asked, overflow())).await.is_none() {
            let again = engine.refused(asked, overflow()).await.unwrap();
            assert!(matches!(again, Refused::Rebuilt), "{waits}: {again:?}");
        }
        request(&mut engine).await;
    }
}

#[tokio::test]
async fn an_empty_answer_of_a_full_window_is_counted_once_when_it_is_repeated() {
    let mut cut = 0;
    for waits in 0..12 {
        let log = SlowLog::default();
        let mut engine = log.open().await;
        for text in 0..6 {
            engine.user(Message::user(large(text))).await.unwrap();
            let asked = request(&mut engine).await.id;
            engine.answer(asked, answer(Message::assistant("Done."))).await.unwrap();
        }
        engine.user(Message::user("And now?")).await.unwrap();
        let asked = request(&mut engine).await.id;
        let empty = || Answer {
            stop: StopReason::Other(StopReason::WINDOW_FULL.to_owned()),
            usage: Some(Usage { input: WINDOW, ..Usage::default() }),
            ..answer(Message::assistant(""))
        };
        if log.cut_off(Some(waits), engine.answer(asked, empty())).await.is_none() {
            cut += 1;
            assert_eq!(engine.answer(asked, empty()).await.unwrap(), Answered::Request, "{waits}");
        }
        request(&mut engine).await;
        assert_eq!(engine.close().await, 0);
        let records = read_all(log.log.as_ref(), &id(), Seq(0), Part::All).await.unwrap().records;
        let spent = records.iter().filter(|record| matches!(record.body, RecordBody::Spent(_)));
        assert_eq!(spent.count(), 1, "{waits}");
    }
    assert!(cut > 1, "{cut}");
}
