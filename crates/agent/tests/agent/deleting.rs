//! A permanent deletion that fails half-way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use throughline_agent::{Agent, ChangeError, Deletion, DerivedPorts, Event, NullSink};
use throughline_completion::Reply;
use throughline_continuity::{
    DirectoryError, InMemoryMessageLog, InMemorySessionDirectory, LogError, LogPage, MessageLog,
    MockSessionDirectory, Part,
};
use throughline_conversation::{ExchangeId, Record, Seq, SessionId, project};
use throughline_memory::InMemoryMemory;
use throughline_testkit::{WordCounter, render};

use crate::harness::{World, session, turn};

/// A log that erases nothing while it is stubborn.
#[derive(Debug)]
struct Stubborn {
    log: Arc<InMemoryMessageLog>,
    is_stubborn: AtomicBool,
}

#[async_trait]
impl MessageLog for Stubborn {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.log.append(session, records).await
    }

    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError> {
        self.log.read_page(session, after, part).await
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        self.log.last(session).await
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        self.log.newest(session, kind).await
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        if self.is_stubborn.load(Ordering::SeqCst) {
            return Err(LogError::Other("no room to rewrite the database".into()));
        }
        self.log.redact(session, records).await
    }
}

async fn delete(agent: &mut Agent, turn: u64) -> Result<Deletion, ChangeError> {
    let (notes, sessions) = (InMemoryMemory::default(), InMemorySessionDirectory::default());
    let derived = DerivedPorts { notes: &notes, sessions: &sessions };
    agent.delete_turn(ExchangeId(turn), &derived, &NullSink).await
}

// S4-15
#[tokio::test]
async fn a_turn_after_a_failed_deletion_is_stored() {
    let world = World::new(60_000, ["One.", "Two.", "Three."].map(Reply::text));
    let log = Arc::new(Stubborn { log: world.log.clone(), is_stubborn: AtomicBool::new(true) });
    let mut agent = world.builder().log(log.clone()).open(session()).await.unwrap();
    turn(&mut agent, "First.").await.0.unwrap();
    turn(&mut agent, "Second.").await.0.unwrap();
    let error = delete(&mut agent, 1).await.unwrap_err();
    assert!(throughline_text::error_chain(&error).contains("no room"), "{error}");

    // It is hidden already, here and in the log, and the session continues behind it.
    let (outcome, events) = turn(&mut agent, "Third.").await;
    outcome.unwrap();
    assert!(!events.iter().any(|event| matches!(event, Event::Degraded(_))), "{events:?}");
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let reported = project(&records, &WordCounter).unwrap();
    let shown = render(agent.view().transcript().messages());
    assert_eq!(shown, render(reported.transcript().messages()));
    assert!(!shown.contains("First.") && shown.contains("Third."), "{shown}");

    // Asking again finishes the work.
    log.is_stubborn.store(false, Ordering::SeqCst);
    delete(&mut agent, 1).await.unwrap();
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    assert!(!format!("{records:?}").contains("First."));
}

#[tokio::test]
async fn a_deletion_that_cannot_read_the_title_erases_no_record_and_is_repeated() {
    let world = World::new(60_000, ["One.", "Two."].map(Reply::text));
    let mut agent = world.builder().open(session()).await.unwrap();
    turn(&mut agent, "First.").await.0.unwrap();
    turn(&mut agent, "Second.").await.0.unwrap();
    let mut broken = MockSessionDirectory::new();
    broken.expect_get().times(1).returning(|_| Err(DirectoryError::Full("no space left".to_owned())));
    broken.expect_rename().never();
    let notes = InMemoryMemory::default();
    let derived = DerivedPorts { notes: &notes, sessions: &broken };
    let error = agent.delete_turn(ExchangeId(1), &derived, &NullSink).await.unwrap_err();
    assert!(matches!(error, ChangeError::Title(_)), "{error:?}");
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    assert!(format!("{records:?}").contains("First."), "the records are overwritten last");
    assert!(!render(agent.view().transcript().messages()).contains("First."), "but the turn is hidden");

    delete(&mut agent, 1).await.unwrap();
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    assert!(!format!("{records:?}").contains("First."));
}
