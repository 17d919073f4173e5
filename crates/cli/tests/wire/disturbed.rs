//! Disturbances that the mock cannot make, or does not see, by our own test server.

use std::time::Duration;

use throughline_agent::Event;
use throughline_providers::http::Endpoint;
use throughline_testserver::{Answer, Script, Server};

use crate::for_each_protocol;
use crate::protocol::{Client, Protocol};
use crate::session::{NEXT, Session};

for_each_protocol!(a_broken_piece_in_the_middle, a_hang_up_is_seen);

/// Long enough to be sent in many pieces.
const LONG: &str =
    "One word after the other is sent, and between all these words there is some time to do something. ";

async fn session(protocol: Protocol, answers: impl IntoIterator<Item = Answer>) -> (Server, Session) {
    let script = answers.into_iter().fold(Script::new(), Script::then);
    let server = Server::start(script.then(Answer::text(NEXT.1))).await.unwrap();
    let session = Session::open(Client::new(protocol, Endpoint::new(&server.url()).unwrap())).await;
    (server, session)
}

async fn a_broken_piece_in_the_middle(protocol: Protocol) {
    let (server, mut session) =
        session(protocol, [Answer::text(LONG).garbage_after(8), Answer::text("All of it.")]).await;
    let turn = session.turn("Tell me more.").await;
    assert_eq!(turn.text(), "All of it.");
    let shown = turn.shown();
    let part = shown.strip_suffix("All of it.").unwrap();
    assert!(LONG.starts_with(part) && !part.is_empty(), "{turn:?}");
    assert_eq!((turn.withdrawn(), turn.waits().len()), (1, 1), "the shown text is withdrawn");
    assert_eq!(server.received().len(), 2);
    assert_eq!(session.transcript(), "user: Tell me more.\nassistant: All of it.\n");
    session.assert_usable().await;
    assert!(server.received().iter().all(|request| request.faults.is_empty()));
}

async fn a_hang_up_is_seen(protocol: Protocol) {
    let slow = Answer::text(&LONG.repeat(200)).wait_each(Duration::from_millis(50));
    let (server, mut session) = session(protocol, [slow]).await;
    let turn = session.turn_until("Tell me more.", |event| matches!(event, Event::Text(_))).await;
    assert_eq!(turn.outcome.as_ref().unwrap().stop, "cancelled");
    let mut patience = 3_000;
    while !server.received()[0].hung_up {
        patience -= 1;
        assert!(patience > 0, "the connection is still open");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let said = turn.shown();
    assert_eq!(session.said_by_the_model().await, format!("assistant: {}\n", said.trim_end()));
    session.assert_usable().await;
}
