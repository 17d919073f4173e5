//! A guard of spending that refuses requests.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use throughline_agent::{Event, SpendingError, SpendingGuard, TurnError};
use throughline_completion::Reply;
use throughline_conversation::{ModelUse, Origin, Usage};
use throughline_tools::CancelFlag;

use crate::harness::{Events, World, echo, session, turn};

/// Allows this many requests, and records what it is asked.
#[derive(Debug, Default)]
struct Allowance {
    left: Mutex<u64>,
    recorded: Mutex<Vec<ModelUse>>,
}

#[async_trait]
impl SpendingGuard for Allowance {
    fn begin_turn(&self) {}

    async fn allow(&self, _: &Origin, expected: Usage) -> Result<(), SpendingError> {
        let mut left = self.left.lock().unwrap();
        match (expected.prompt(), *left) {
            (0, _) => Ok(()),
            (_, 0) => Err(SpendingError::Unreadable { setting: "limits.cost", why: "no reason".to_owned() }),
            (_, _) => {
                *left -= 1;
                Ok(())
            }
        }
    }

    fn record(&self, used: &ModelUse) {
        self.recorded.lock().unwrap().push(used.clone());
    }
}

#[tokio::test]
async fn a_refused_request_is_not_sent_and_the_turn_continues_when_it_is_allowed() {
    let script = || [Reply::Say(vec![echo("c1", 3)]), Reply::Say(vec![echo("c2", 3)]), Reply::text("Done.")];
    let (world, plain) = (World::new(4_000, script()), World::new(4_000, script()));
    let guard = Arc::new(Allowance { left: Mutex::new(1), ..Allowance::default() });
    let mut agent = world.builder().spending(guard.clone()).open(session()).await.unwrap();
    let (outcome, events) = turn(&mut agent, "Work.").await;
    assert!(matches!(outcome, Err(TurnError::Spending(_))), "{outcome:?}");
    let sent = |events: &[Event]| events.iter().filter(|event| matches!(event, Event::Sent { .. })).count();
    assert_eq!((sent(&events), world.model.request_count()), (1, 1));
    assert_eq!(guard.recorded.lock().unwrap().len(), 1);

    *guard.left.lock().unwrap() = 9;
    let events = Events::default();
    let outcome = agent.continue_turn(&events, &CancelFlag::new()).await.unwrap().unwrap();
    assert_eq!((outcome.text.as_str(), sent(&events.all())), ("Done.", 2));
    // The refused request has left no trace in what the cache is expected to hold.
    let mut unlimited = plain.agent().await;
    let (_, all) = turn(&mut unlimited, "Work.").await;
    let predicted = |events: Vec<Event>| -> Vec<Usage> {
        let used = |event| match event {
            Event::Sent { predicted, .. } => Some(predicted),
            _ => None,
        };
        events.into_iter().filter_map(used).collect()
    };
    assert_eq!(predicted(events.all()), predicted(all)[1..]);
}
