//! Sessions in a store of the caller's own: one file of JSON lines for each session. The second session resumes the first.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use throughline::Throughline;
use throughline::ports::scripted::{self, Reply};
use throughline::ports::{LogError, LogPage, MessageLog, Part, Record, Seq, SessionId, async_trait};

#[derive(Debug)]
struct JsonLines {
    folder: PathBuf,
}

impl JsonLines {
    fn file(&self, session: &SessionId) -> PathBuf {
        self.folder.join(format!("{session}.jsonl"))
    }

    fn records(&self, session: &SessionId) -> Result<Vec<Record>, LogError> {
        let text = std::fs::read_to_string(self.file(session)).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).map_err(other)).collect()
    }
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> LogError {
    LogError::Other(error.into())
}

#[async_trait]
impl MessageLog for JsonLines {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        let mut lines = String::new();
        for record in records {
            lines += &serde_json::to_string(record).map_err(other)?;
            lines.push('\n');
        }
        let file = std::fs::OpenOptions::new().create(true).append(true).open(self.file(session));
        file.and_then(|mut file| file.write_all(lines.as_bytes())).map_err(other)
    }

    // Every part is a subset of all records, so all of them may be returned.
    async fn read_page(&self, session: &SessionId, after: Seq, _part: Part) -> Result<LogPage, LogError> {
        let records = self.records(session)?.into_iter().filter(|record| record.seq > after);
        Ok(LogPage::whole(records.collect()))
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        Ok(self.records(session)?.last().map_or(Seq(0), |record| record.seq))
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        Ok(self.records(session)?.into_iter().rev().find(|record| record.body.kind() == kind))
    }

    async fn redact(&self, session: &SessionId, redacted: &[Record]) -> Result<(), LogError> {
        let mut lines = String::new();
        for record in self.records(session)? {
            let new = redacted.iter().find(|new| new.seq == record.seq).unwrap_or(&record);
            lines += &serde_json::to_string(new).map_err(other)?;
            lines.push('\n');
        }
        std::fs::write(self.file(session), lines).map_err(other)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let folder = tempfile::tempdir().map_err(|error| throughline::Error::Other(error.into()))?;
    let log = Arc::new(JsonLines { folder: folder.path().to_owned() });
    let builder = |answer: &str| {
        let model = scripted::model([Reply::text(answer)]);
        Throughline::builder().model_port(model).data_dir(folder.path()).log(log.clone())
    };
    let mut session = builder("I will remember it.").open().await?;
    session.send("The code word is heron.").await?;
    let id = session.id().clone();
    session.close().await?;

    let mut session = builder("Heron.").resume(id.clone()).open().await?;
    println!("{}", session.send("What is the code word?").await?.text());
    println!("{} records in {id}.jsonl", log.records(&id).map_or(0, |records| records.len()));
    session.close().await?;
    Ok(())
}
