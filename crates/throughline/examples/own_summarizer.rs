//! Summaries of your own: here one sentence that counts what leaves the window.

use std::sync::Arc;

use throughline::ports::async_trait;
use throughline::ports::scripted::{self, Reply};
use throughline::{Policy, Throughline};
use throughline_compaction::{Prose, Summarizer, SummaryError, SummaryRequest};

#[derive(Debug)]
struct CountMessages;

#[async_trait]
impl Summarizer for CountMessages {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let count = request.entries.len();
        let text =
            format!("### Now\nTalking.\n### Done\n{count} messages were exchanged.\n### Next\nMore of them.");
        Ok(Prose::by_model(text, "counter"))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let answers = (0..12).map(|turn| Reply::text(format!("Answer {turn}: {}", "it is fine. ".repeat(600))));
    let mut session = Throughline::builder()
        .model_port(scripted::model(answers))
        .data_dir(std::env::temp_dir().join("throughline-own-summarizer"))
        .policy(Policy::Throughline)
        .summarizer(Arc::new(CountMessages))
        .open()
        .await?;
    for turn in 0..12 {
        session.send(format!("Question {turn}: {}", "how is it? ".repeat(300))).await?;
    }
    println!("{}", session.agent.compact(&|_| {}).await.map_or_else(|e| e.to_string(), |r| r.to_string()));
    session.close().await?;
    Ok(())
}
