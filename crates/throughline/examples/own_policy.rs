//! A policy with levels of your own: it warns at half of the window and compacts at three quarters of it.

use throughline::ports::scripted::{self, Reply};
use throughline::{Policy, Throughline};

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let answers = (0..12).map(|turn| Reply::text(format!("Answer {turn}: {}", "it is fine. ".repeat(600))));
    let mut session = Throughline::builder()
        .model_port(scripted::model(answers))
        .data_dir(std::env::temp_dir().join("throughline-own-policy"))
        .policy(Policy::Throughline)
        .setting("agent.economy", "lean")
        .setting("agent.warn_at", "50%effective")
        .setting("agent.compact_at", "75%effective")
        .open()
        .await?;
    for turn in 0..12 {
        session.send(format!("Question {turn}: {}", "how is it? ".repeat(300))).await?;
    }
    println!("{}", session.report().await?);
    session.close().await?;
    Ok(())
}
