//! The result store without the rest: a large tool result leaves the window, and the model reads the part that it needs.

use std::error::Error;
use std::sync::Arc;

use throughline_conversation::{Millis, SessionId};
use throughline_resultstore::{InMemoryResultRepository, OffloadPolicy, ReadRequest, ResultStore};

// S3-30
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let repository = Arc::new(InMemoryResultRepository::default());
    let store = ResultStore::new(repository, SessionId::new("demo")?, OffloadPolicy::seed(), []);
    let mut output: String = (1..=2_000).map(|line| format!("test case_{line:04} ... ok\n")).collect();
    output.push_str("test rounding ... FAILED: expected 1250, found 1249\n");

    let ingested = store.ingest("shell", "call_1", output.as_bytes(), Millis(0)).await?;
    let receipt = ingested.offloaded.ok_or("a result of this size is offloaded")?;
    println!("{} bytes stored, {} shown:\n{}\n", receipt.bytes, receipt.shown, ingested.text);

    let mut request = ReadRequest::new(receipt.stored);
    request.search = Some("FAILED".to_owned());
    println!("{}", store.read(&request).await?.text);
    Ok(())
}
