//! Compaction without the rest: a view of a long session shrinks to a summary and the newest work, without a model.

use std::error::Error;
use std::fmt::Write as _;

use throughline_compaction::{CompactionJob, CompactionPolicy, Compactor, TargetSize};
use throughline_conversation::SessionId;
use throughline_testkit::{WordCounter, render_view, view};

// S3-30
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut story = String::new();
    for file in 1..=12 {
        let words = "a line of the file that is long ".repeat(20);
        write!(story, "user: Read file_{file}.rs.\nassistant: I read file_{file}.rs. {words}\n")?;
    }
    let before = view(&story);

    let target = TargetSize { fraction: 0.2, tokens: 300 };
    let compactor = Compactor::new(CompactionPolicy { target, ..CompactionPolicy::default() }, None);
    let session = SessionId::new("demo")?;
    let compacted = compactor.compact(&CompactionJob::new(&session, &before, &WordCounter, 4_000)).await?;

    println!("{}\n", compacted.result);
    println!("{}", render_view(&compacted.view));
    Ok(())
}
