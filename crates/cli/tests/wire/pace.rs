//! Slow answers of the mock, and cancelled ones.

use std::time::Duration;

use throughline_agent::Event;

use crate::for_each_protocol;
use crate::mocked::Mocked;
use crate::protocol::{Client, Protocol};
use crate::session::STOPPED;

for_each_protocol!(a_slow_answer, cancelled_in_the_middle, cancelled_before_the_first_byte);

async fn a_slow_answer(protocol: Protocol) {
    // Patience for one piece, not for the whole.
    let idle = Duration::from_millis(700);
    let impatient = |client: &mut Client| client.endpoint.timeouts.idle = idle;
    let mut session = Mocked::open_with(protocol, "slow", impatient).await;
    let turn = session.turn("Please take your time.").await;
    assert!(turn.text().starts_with("One small piece"), "{turn:?}");
    assert!(turn.took > idle, "{:?}", turn.took);
    // It is shown as it comes.
    let text = |(at, event): &(Duration, Event)| matches!(event, Event::Text(_)).then_some(*at);
    let times: Vec<_> = turn.seen.iter().filter_map(text).collect();
    assert!(times.len() >= 4, "{turn:?}");
    assert!(times[times.len() - 1] - times[0] >= Duration::from_millis(300), "{times:?}");
    session.assert_usable().await;
}

async fn cancelled_in_the_middle(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "stopped").await;
    let turn = session.turn_until("Please never end.", |event| matches!(event, Event::Text(_))).await;
    assert_eq!(turn.outcome.as_ref().unwrap().stop, "cancelled");
    // So little of it shows that the client did not wait for the rest.
    assert!(turn.shown().len() < 60, "{turn:?}");
    let said = format!("assistant: {}\n", turn.shown().trim_end());
    assert_eq!(session.transcript(), format!("user: Please never end.\n{said}{STOPPED}"));
    assert_eq!(session.said_by_the_model().await, said);
    session.assert_usable().await;
}

async fn cancelled_before_the_first_byte(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "early").await;
    let wait = Duration::from_millis(300);
    let turn = session.turn_for("Please think about it first.", wait).await;
    assert_eq!(turn.outcome.as_ref().unwrap().stop, "cancelled");
    // It would answer after 20 s.
    assert!(turn.took < Duration::from_secs(10), "{turn:?}");
    assert_eq!(session.said_by_the_model().await, "");
    assert_eq!(session.statuses(), [0; 0]);
    session.assert_usable().await;
}
