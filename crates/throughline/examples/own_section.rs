//! A section of the system prompt of your own, which is read again at each message of the user.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use throughline::Throughline;
use throughline::ports::scripted::{self, Reply};
use throughline::ports::{PromptSection, SectionError, SectionSource, async_trait};

#[derive(Debug, Default)]
struct OpenTickets(AtomicU32);

#[async_trait]
impl SectionSource for OpenTickets {
    fn name(&self) -> String {
        "tickets".to_owned()
    }

    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError> {
        let read = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(vec![PromptSection::status("tickets", format!("Open tickets: {read}."))])
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let model = scripted::model([Reply::text("One."), Reply::text("Another one.")]);
    let mut session = Throughline::builder()
        .model_port(model.clone())
        .data_dir(std::env::temp_dir().join("throughline-own-section"))
        .system_prompt("You answer questions about tickets.")
        .section(Arc::new(OpenTickets::default()))
        .open()
        .await?;
    session.send("Which tickets are open?").await?;
    session.send("And now?").await?;
    for request in model.requests() {
        println!("{:?}", request.tail);
    }
    session.close().await?;
    Ok(())
}
