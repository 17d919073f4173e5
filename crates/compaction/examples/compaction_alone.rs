//! Compaction without the rest: a view of a long session shrinks to a summary and the newest work, without a model.

use std::error::Error;

use throughline_budget::ScriptAwareEstimator;
use throughline_compaction::{CompactionJob, CompactionPolicy, Compactor, TargetSize};
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, SessionId, Source, project,
};

fn record(exchange: u64, seq: u64, message: Message, source: Source) -> Record {
    let body = RecordBody::Message(MessageRecord { message, source, usage: None });
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(exchange), body }
}

// S3-30
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut log = Vec::new();
    for file in 1..=12 {
        let words = "a line of the file that is long ".repeat(20);
        let question = Message::user(format!("Read file_{file}.rs."));
        let answer = Message::assistant(format!("I read file_{file}.rs. {words}"));
        log.push(record(file, 2 * file - 1, question, Source::User));
        log.push(record(file, 2 * file, answer, Source::Model("some model".to_owned())));
    }
    let before = project(&log, &ScriptAwareEstimator)?;

    let target = TargetSize { fraction: 0.2, tokens: 300 };
    let compactor = Compactor::new(CompactionPolicy { target, ..CompactionPolicy::default() }, None);
    let session = SessionId::new("demo")?;
    let job = CompactionJob::new(&session, &before, &ScriptAwareEstimator, 4_000);
    let compacted = compactor.compact(&job).await?;

    println!("{}\n", compacted.result);
    for message in compacted.view.transcript().messages() {
        println!("{}: {}", message.role.name(), message.text());
    }
    Ok(())
}
