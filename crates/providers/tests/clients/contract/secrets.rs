//! The key shows nowhere: in no error, no debug output and no log, whatever the server does with it.

#![expect(clippy::unwrap_used, reason = "a client that breaks the contract fails the test")]

use std::error::Error;
use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::json;
use throughline_testserver::{Answer, ErrorKind};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use super::{KEY, Wire, failure, hello};
use crate::contract::events;

/// Forms in which a key could show.
fn forms() -> [String; 4] {
    let percent = KEY.replace('/', "%2F").replace('+', "%2B").replace('=', "%3D");
    // A part is as bad.
    let part = KEY.chars().skip(3).take(9).collect();
    [KEY.to_owned(), percent, KEY.replace('/', "\\/"), part]
}

/// Keeps all lines of a log.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

pub(crate) async fn the_key_shows_nowhere(wire: &Wire) {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_writer(log.clone())
        .with_ansi(false)
        .finish();
    // The test runs on this thread alone, and so does all that it starts.
    let guard = tracing::subscriber::set_default(subscriber);
    let quoted = format!("no such key: {KEY}, {}", KEY.replace('/', "%2F"));
    let escaped = format!("{{\"error\":{{\"message\":\"{}\"}}}}", KEY.replace('/', "\\/"));
    let cut = format!("{}{KEY}", "x".repeat(490));
    let error_inside =
        json!({"type": "error", "error": {"type": "api_error", "message": quoted}, "message": quoted});
    let answers = [
        Answer::error(ErrorKind::Unauthorized),
        Answer::status(401, json!({"error": {"type": "authentication_error", "message": quoted}})),
        Answer::status(400, json!({"error": quoted})),
        Answer::status(500, json!({"message": cut})),
        Answer::status(307, json!({})).header("location", &format!("http://127.0.0.1:1/?key={KEY}")),
        Answer::html(502, &format!("<html><title>{KEY}</title>")),
        Answer::html(200, &format!("<html><title>{KEY}</title>")),
        Answer::raw("application/json", escaped.into_bytes()),
        Answer::raw("text/event-stream", format!("event: error\ndata: {error_inside}\n\n").into_bytes()),
        Answer::raw("application/x-ndjson", format!("{{\"error\": \"{quoted}\"}}\n").into_bytes()),
        Answer::raw("text/event-stream", format!("data: {{{quoted}\n\n").into_bytes()),
        Answer::raw("application/x-ndjson", format!("{{{quoted}\n").into_bytes()),
        Answer::text("ok").cut_after(1),
        Answer::text("ok").header("request-id", KEY),
    ];
    let mut shown = Vec::new();
    let count = answers.len();
    let server = wire.server(answers).await;
    let client = (wire.model)(
        wire.endpoint(&server.url()).with_header("x-gateway-key", throughline_providers::http::Key::new(KEY)),
    );
    shown.push(format!("{client:?} {client:#?}"));
    for _ in 1..count {
        let (events, error) = failure(client.as_ref(), &hello()).await;
        shown.push(format!("{events:?} {error} {error:?} {error:#?}"));
        let mut cause = error.source();
        while let Some(error) = cause {
            shown.push(format!("{error} {error:?}"));
            cause = error.source();
        }
    }
    events(client.as_ref(), &hello()).await;
    // The key has been where it belongs, in each request.
    assert!(server.received().iter().all(|received| received.header("x-gateway-key") == Some(KEY)));
    drop(guard);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    // What the server logs is its own matter, and it quotes nothing either.
    assert!(log.contains("throughline_providers") && log.lines().count() > 2 * count, "{log}");
    shown.push(log);
    for form in forms() {
        for text in &shown {
            assert!(!text.contains(&form), "{form} in {text}");
        }
    }
}
