//! A running answer has one end, waits for its reader, and stops when it is dropped.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a client that breaks the contract fails the test")]

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use throughline_completion::{CompletionEvent, ModelError};
use throughline_testserver::{Answer, ErrorKind};

use super::{Wire, events, failure, hangs_up, hello, only};

/// Of many events on every wire.
const LONG: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";

/// Longer than any test waits.
const EVER: Duration = Duration::from_secs(60);

fn shows_text(events: &[CompletionEvent]) -> bool {
    events.iter().any(|event| matches!(event, CompletionEvent::TextDelta(_)))
}

pub(crate) async fn a_cut_answer(wire: &Wire) {
    for events in [0, 1, 8] {
        let server = wire.server([Answer::text(LONG).cut_after(events)]).await;
        let (shown, error) = failure(wire.client(&server).as_ref(), &hello()).await;
        assert!(matches!(error, ModelError::Interrupted { .. }), "after {events}: {error:?}");
        // Some wires have no event before the first text.
        assert!(events == 1 || shows_text(&shown) == (events == 8), "after {events}: {shown:?}");
        only(&server);
    }
}

pub(crate) async fn a_broken_piece(wire: &Wire) {
    let server = wire.server([Answer::text(LONG).garbage_after(8)]).await;
    let (shown, error) = failure(wire.client(&server).as_ref(), &hello()).await;
    assert!(matches!(error, ModelError::Interrupted { .. }), "{error:?}");
    assert!(shows_text(&shown));
    only(&server);
}

pub(crate) async fn an_error_inside(wire: &Wire) {
    let server = wire.server([Answer::text(LONG).event_error(ErrorKind::Overloaded)]).await;
    let (shown, error) = failure(wire.client(&server).as_ref(), &hello()).await;
    assert!(shows_text(&shown));
    assert!(matches!(error, ModelError::Unavailable { .. }), "{error:?}");
    only(&server);
}

pub(crate) async fn a_slow_answer(wire: &Wire) {
    // Altogether longer than the client waits for one piece.
    let server = wire.server([Answer::text(LONG).wait_each(Duration::from_millis(170))]).await;
    let began = Instant::now();
    let events = events(wire.impatient(&server).as_ref(), &hello()).await;
    assert!(shows_text(&events));
    assert!(began.elapsed() > super::short().idle, "{:?}", began.elapsed());
}

pub(crate) async fn a_silent_answer(wire: &Wire) {
    let server = wire.server([Answer::text(LONG).wait_each(EVER)]).await;
    let error = failure(wire.impatient(&server).as_ref(), &hello()).await.1;
    assert!(matches!(error, ModelError::Silent { .. }), "{error:?}");
    hangs_up(&server).await;
    only(&server);
}

pub(crate) async fn a_silent_server(wire: &Wire) {
    let server = wire.server([Answer::text(LONG).wait_head(EVER)]).await;
    let error = failure(wire.impatient(&server).as_ref(), &hello()).await.1;
    assert!(matches!(error, ModelError::Silent { .. }), "{error:?}");
    hangs_up(&server).await;
    only(&server);
}

pub(crate) async fn a_dropped_answer(wire: &Wire) {
    let server = wire.server([Answer::text(LONG).wait_each(Duration::from_millis(100))]).await;
    let mut stream = wire.client(&server).stream(&hello()).await.unwrap();
    loop {
        match stream.next().await {
            Some(Ok(CompletionEvent::TextDelta(_))) => break,
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    drop(stream);
    hangs_up(&server).await;
    only(&server);
}

pub(crate) async fn a_dropped_request(wire: &Wire) {
    let server = wire.server([Answer::text(LONG).wait_head(EVER)]).await;
    let client = wire.client(&server);
    let request = hello();
    let mut asking = client.stream(&request);
    while server.received().is_empty() {
        let asked = tokio::time::timeout(Duration::from_millis(10), &mut asking).await;
        assert!(asked.is_err());
    }
    drop(asking);
    hangs_up(&server).await;
    only(&server);
}

pub(crate) async fn a_slow_reader(wire: &Wire) {
    const DELTAS: usize = 20_000;
    // The server sends five characters at a time.
    let text: String =
        (0..DELTAS).map(|number| format!("{number:04} ").chars().take(5).collect::<String>()).collect();
    let server = wire.server([Answer::text(&text)]).await;
    let mut stream = wire.client(&server).stream(&hello()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let (mut arrived, mut deltas, mut finished) = (String::new(), 0, false);
    while let Some(event) = stream.next().await {
        match event.unwrap() {
            CompletionEvent::TextDelta(more) => {
                arrived.push_str(&more);
                deltas += 1;
                if deltas % 1_000 == 0 {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            }
            CompletionEvent::Finished(_) => finished = true,
            _ => {}
        }
    }
    assert!(finished && deltas >= DELTAS, "{deltas} deltas");
    assert!(arrived == text, "{} of {} bytes", arrived.len(), text.len());
}
