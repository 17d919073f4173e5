//! A framework that owns its list of messages: the engine takes the list over before each call of the model, and says which
//! of its messages the next request reuses.

use throughline_engine::{ContextEngine, Message, MessageRef, ModelInfo, Next, SessionId};
use throughline_policies::{Estimator, Policy};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let info = ModelInfo::with_window("any", 20_000, 1_000);
    let settings = Policy::Throughline.settings(info.window, 1_000);
    let counter = Estimator::default().counter();
    let mut context =
        ContextEngine::builder(info, counter, settings).open(SessionId::new("framework")?).await?;
    let mut list = Vec::new();
    for turn in 0..60 {
        list.push(Message::user(format!("Question {turn}: {}", "how is it? ".repeat(60))));
        let synced = context.sync(&list).await?;
        let Next::Request(next) = context.next_request().await? else { break };
        let refs = context.message_refs();
        let reused = refs.iter().filter(|one| matches!(one, MessageRef::Given(_))).count();
        if turn % 20 == 19 {
            println!(
                "{} messages in the list, {} new; {} in the request, {reused} of them the framework's own",
                list.len(),
                synced.appended,
                refs.len()
            );
        }
        drop(next);
        list.push(Message::assistant(format!("Answer {turn}: {}", "it is fine. ".repeat(60))));
    }
    // The user goes back ten turns.
    list.truncate(100);
    list.push(Message::user("Another question."));
    println!("{:?}\n{}", context.sync(&list).await?, context.status());
    Ok(())
}
