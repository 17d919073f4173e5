//! Sessions in a store of the caller's own: one file of JSON lines for each session. The second session resumes the first.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use throughline::Throughline;
use throughline::ports::scripted::{self, Reply};
use throughline::ports::{
    LogError, LogPage, MessageLog, Part, Record, Seq, SessionId, Unreadable, async_trait,
};

#[derive(Debug)]
struct JsonLines {
    folder: PathBuf,
}

impl JsonLines {
    fn file(&self, session: &SessionId) -> PathBuf {
        self.folder.join(format!("{session}.jsonl"))
    }

    /// The lines that were written whole: record N is line N. One that a crash cut off was never confirmed.
    fn lines(&self, session: &SessionId) -> Result<Vec<String>, LogError> {
        let text = match std::fs::read_to_string(self.file(session)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.map_err(other)?,
        };
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        Ok(whole.lines().map(str::to_owned).collect())
    }

    /// All records that can be read, and the places of the others.
    fn page(&self, session: &SessionId) -> Result<LogPage, LogError> {
        let mut page = LogPage::default();
        for (line, at) in self.lines(session)?.iter().zip(1..) {
            match serde_json::from_str(line) {
                Ok(record) => page.records.push(record),
                Err(error) => page.unreadable.push(Unreadable::one(Seq(at), error.to_string())),
            }
        }
        Ok(page)
    }
}

/// The line of a record, from 0.
fn place(record: Seq) -> Option<usize> {
    usize::try_from(record.0).ok()?.checked_sub(1)
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> LogError {
    LogError::Other(error.into())
}

#[async_trait]
impl MessageLog for JsonLines {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        let lines = self.lines(session)?;
        let mut new = Vec::new();
        for record in records {
            let (line, found) = (serde_json::to_string(record).map_err(other)?, record.seq);
            let expected = Seq((lines.len() + new.len()) as u64 + 1);
            if found == expected {
                new.push(line + "\n");
            } else if place(found).and_then(|place| lines.get(place)) != Some(&line) {
                // The same record again is no conflict: the first try was cut off behind the write.
                return Err(LogError::Conflict { expected, found });
            }
        }
        let mut file = File::options().create(true).append(true).open(self.file(session)).map_err(other)?;
        // Half a line of a crash is cut off.
        let whole = lines.iter().map(|line| line.len() as u64 + 1).sum();
        file.set_len(whole).and_then(|()| file.write_all(new.concat().as_bytes())).map_err(other)?;
        file.sync_data().map_err(other)
    }

    // Every part is a subset of all records, so all of them may be returned.
    async fn read_page(&self, session: &SessionId, after: Seq, _part: Part) -> Result<LogPage, LogError> {
        let mut page = self.page(session)?;
        page.records.retain(|record| record.seq > after);
        page.unreadable.retain(|lost| lost.span.first > after);
        Ok(page)
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        Ok(Seq(self.lines(session)?.len() as u64))
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        Ok(self.page(session)?.records.into_iter().rev().find(|record| record.body.kind() == kind))
    }

    async fn redact(&self, session: &SessionId, redacted: &[Record]) -> Result<(), LogError> {
        let mut lines = self.lines(session)?;
        let expected = Seq(lines.len() as u64 + 1);
        for record in redacted {
            let line = place(record.seq).and_then(|place| lines.get_mut(place));
            let conflict = LogError::Conflict { expected, found: record.seq };
            *line.ok_or(conflict)? = serde_json::to_string(record).map_err(other)?;
        }
        let new = self.folder.join(format!("{session}.new"));
        let mut file = File::create(&new).map_err(other)?;
        lines.iter().try_for_each(|line| writeln!(file, "{line}")).map_err(other)?;
        file.sync_all().and_then(|()| std::fs::rename(&new, self.file(session))).map_err(other)
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
    println!("{} records in {id}.jsonl", log.lines(&id).map_or(0, |lines| lines.len()));
    session.close().await?;
    Ok(())
}
