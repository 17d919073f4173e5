//! Summaries by any model: the engine returns the question, and the caller answers it.

use throughline_engine::{
    Answer, AnswerDetails, ContextEngine, Message, ModelInfo, Next, SessionId, StopReason,
};
use throughline_policies::{Estimator, Policy};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let info = ModelInfo::with_window("large", 20_000, 1_000);
    let settings = Policy::Throughline.settings(info.window, 1_000);
    let mut context = ContextEngine::builder(info, Estimator::default().counter(), settings)
        .summaries_by_caller()
        .open(SessionId::new("summaries")?)
        .await?;
    for turn in 0..40 {
        context.user(Message::user(format!("Question {turn}: {}", "how is it? ".repeat(80)))).await?;
        let request = loop {
            match context.next_request().await? {
                Next::Request(next) => break next.id,
                Next::Summarize(asked) => {
                    println!(
                        "turn {turn}: asked for a summary within {} tokens",
                        asked.request.max_output_tokens
                    );
                    let said =
                        "### Now\nAsking questions.\n### Done\nAll were answered.\n### Next\nMore questions.";
                    context.summary(asked.id, said, None, "small")?;
                }
            }
        };
        let message = Message::assistant(format!("Answer {turn}: {}", "it is fine. ".repeat(80)));
        let answer =
            Answer { message, stop: StopReason::EndTurn, usage: None, details: AnswerDetails::default() };
        context.answer(request, answer).await?;
    }
    println!("{}", context.status());
    Ok(())
}
