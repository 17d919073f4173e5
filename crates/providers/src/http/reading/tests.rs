//! A running answer has one end, waits for its reader, and lets go of its connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use expect_test::expect;
use throughline_completion::StopReason;
use throughline_wire::Wire;

use super::*;

fn endpoint() -> Endpoint {
    Endpoint::new("https://api.example.com").unwrap()
}

fn delta(number: usize) -> String {
    format!(
        "data: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"{number} \"}}}}\n\n"
    )
}

const START: &str = "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n";
const END: &str = "data: {\"type\":\"content_block_stop\",\"index\":0}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n";

/// Counts the pieces that were pulled, and notes when it is dropped.
struct Body {
    pieces: std::vec::IntoIter<Bytes>,
    pulled: Arc<AtomicUsize>,
    dropped: Arc<AtomicUsize>,
}

impl Drop for Body {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

#[derive(Default)]
struct Watch {
    pulled: Arc<AtomicUsize>,
    dropped: Arc<AtomicUsize>,
}

impl Watch {
    fn body(
        &self,
        pieces: impl IntoIterator<Item = String>,
    ) -> BoxStream<'static, Result<Bytes, TransportError>> {
        let pieces = pieces.into_iter().map(Bytes::from).collect::<Vec<_>>().into_iter();
        let body = Body { pieces, pulled: Arc::clone(&self.pulled), dropped: Arc::clone(&self.dropped) };
        stream::unfold(body, |mut body| async move {
            let piece = body.pieces.next()?;
            body.pulled.fetch_add(1, Ordering::SeqCst);
            Some((Ok(piece), body))
        })
        .boxed()
    }

    fn pulled(&self) -> usize {
        self.pulled.load(Ordering::SeqCst)
    }

    fn dropped(&self) -> usize {
        self.dropped.load(Ordering::SeqCst)
    }
}

fn whole(deltas: usize) -> Vec<String> {
    let middle = (0..deltas).map(delta);
    std::iter::once(START.to_owned()).chain(middle).chain([END.to_owned()]).collect()
}

#[tokio::test]
async fn nothing_is_pulled_before_it_is_asked_for_and_nothing_is_lost() {
    let watch = Watch::default();
    let mut events = reading(watch.body(whole(20_000)), AnswerStream::new(Wire::Anthropic), endpoint());
    assert_eq!(watch.pulled(), 0);
    let mut text = String::new();
    let mut deltas = 0;
    while let Some(event) = events.next().await {
        match event.unwrap() {
            CompletionEvent::TextDelta(more) => {
                text.push_str(&more);
                deltas += 1;
                // The start of the block is a piece of its own and gives no event.
                assert_eq!(watch.pulled(), deltas + 1);
            }
            CompletionEvent::Block(_) => {}
            CompletionEvent::Finished(stop) => {
                assert_eq!(stop, StopReason::EndTurn);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(deltas, 20_000);
    assert!(text.ends_with("19998 19999 "));
    assert_eq!(watch.dropped(), 1);
    assert!(events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_body_is_not_waited_for_long() {
    let watch = Watch::default();
    let mut events = reading(
        watch.body(whole(0)).chain(stream::pending()).boxed(),
        AnswerStream::new(Wire::Anthropic),
        endpoint(),
    );
    let began = tokio::time::Instant::now();
    assert!(matches!(events.next().await, Some(Ok(CompletionEvent::Finished(_)))));
    assert_eq!(began.elapsed(), Duration::ZERO);
    assert!(events.next().await.is_none());
    assert_eq!((began.elapsed(), watch.dropped()), (LAST_BYTES, 1));
}

#[tokio::test]
async fn a_dropped_stream_lets_go_of_the_connection() {
    let watch = Watch::default();
    let mut events = reading(watch.body(whole(10)), AnswerStream::new(Wire::Anthropic), endpoint());
    events.next().await.unwrap().unwrap();
    assert_eq!(watch.dropped(), 0);
    drop(events);
    assert_eq!(watch.dropped(), 1);
}

/// What comes of a body, one line an event.
async fn rendered(body: BoxStream<'static, Result<Bytes, TransportError>>) -> String {
    let events = reading(body, AnswerStream::new(Wire::Anthropic), endpoint()).collect::<Vec<_>>().await;
    let line = |event: &Item| match event {
        Ok(event) => format!("{event:?}\n"),
        Err(error) => format!("{error}\n"),
    };
    events.iter().map(line).collect()
}

#[tokio::test]
async fn a_body_that_breaks_or_ends_too_early_has_one_end() {
    let broken = TransportError::Broken { message: "reset by peer".to_owned() };
    let watch = Watch::default();
    let body = watch.body([START.to_owned(), delta(1)]).chain(stream::iter([Err(broken)]));
    expect![[r#"
        TextDelta("1 ")
        the answer broke off: the connection broke: reset by peer
    "#]]
    .assert_eq(&rendered(body.boxed()).await);
    expect![[r#"
        TextDelta("1 ")
        the answer broke off: the stream ended without a stop reason
    "#]]
    .assert_eq(&rendered(watch.body([START.to_owned(), delta(1)])).await);
    expect![[r"
        the answer broke off: the stream ended without a stop reason
    "]]
    .assert_eq(&rendered(watch.body([])).await);
}

#[tokio::test(start_paused = true)]
async fn an_answer_whose_end_alone_is_missing_is_whole() {
    let end = END.split_once("essage_stop").unwrap().0;
    let said = [START.to_owned(), delta(1), end.to_owned()];
    let broken = TransportError::Broken { message: "reset by peer".to_owned() };
    let watch = Watch::default();
    let broken = watch.body(said.clone()).chain(stream::iter([Err(broken)])).boxed();
    let silent = watch.body(said.clone()).chain(stream::pending()).boxed();
    for body in [broken, silent, watch.body(said)] {
        expect![[r#"
            TextDelta("1 ")
            Block(Text { text: "1 " })
            Finished(EndTurn)
        "#]]
        .assert_eq(&rendered(body).await);
    }
}

#[tokio::test]
async fn nothing_comes_behind_the_end() {
    let watch = Watch::default();
    let mut pieces = whole(1);
    pieces.extend(whole(1));
    expect![[r#"
        TextDelta("0 ")
        Block(Text { text: "0 " })
        Finished(EndTurn)
    "#]]
    .assert_eq(&rendered(watch.body([pieces.concat()])).await);
    let malformed = format!("{START}data: {{no json\n\n{}", delta(1));
    expect![[r"
        the answer broke off: the stream holds no JSON (key must be a string at line 1 column 2): {no json
    "]]
    .assert_eq(&rendered(watch.body([malformed, END.to_owned()])).await);
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_continues_and_a_silent_one_ends() {
    let watch = Watch::default();
    let slow = watch.body(whole(3)).then(|piece| async {
        tokio::time::sleep(Duration::from_secs(299)).await;
        piece
    });
    assert!(rendered(slow.boxed()).await.ends_with("Finished(EndTurn)\n"));
    let silent = watch.body([START.to_owned(), delta(1)]).chain(stream::pending());
    expect![[r#"
        TextDelta("1 ")
        the provider timed out: no data for 300 s; raise it with --timeout
    "#]]
    .assert_eq(&rendered(silent.boxed()).await);
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let line = Bytes::from(format!(": {}\n", "x".repeat(1_000_000)));
    let endless = stream::repeat_with(move || Ok(line.clone()));
    expect![[r"
        the answer broke off: it is longer than 64 MiB
    "]]
    .assert_eq(&rendered(endless.boxed()).await);
}
