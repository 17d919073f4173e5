//! Prints what every session of a program does, each line with the session that it is from.

use std::sync::Arc;

use throughline::Throughline;
use throughline::ports::scripted::{self, Reply};
use throughline::ports::{Event, EventSink, SessionId};
use throughline_agent::Listeners;

/// Gives each session a listener that knows its id.
#[derive(Debug)]
struct ByName;

impl Listeners for ByName {
    fn listen_to(&self, session: &SessionId) -> Arc<dyn EventSink> {
        let session = session.clone();
        Arc::new(move |event: Event| {
            if let Event::Text(text) = event {
                println!("{session}: {text}");
            }
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    for answer in ["It is sunny.", "It rains."] {
        let mut session = Throughline::builder()
            .model_port(scripted::model([Reply::text(answer)]))
            .data_dir(std::env::temp_dir().join("throughline-own-listeners"))
            .listeners(Arc::new(ByName))
            .open()
            .await?;
        session.send("How is the weather?").await?;
        session.close().await?;
    }
    Ok(())
}
