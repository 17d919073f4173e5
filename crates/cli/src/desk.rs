//! One session that a command looks at or changes.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use throughline_agent::{Agent, Changed, EventSink, SessionPorts, change_session};
use throughline_continuity::MessageLog;
use throughline_conversation::{
    DocumentName, DocumentRecord, Record, RecordBody, Seq, SessionId, Source, TokenCounter, View, project,
};
use throughline_groups::{Change, Group, groups};
use throughline_policies::Estimator;
use throughline_store::{SessionLock, lock_session};

use crate::compose::{Data, now};
use crate::export::records;
use crate::terminal::plain;

/// The data folder, and the session in it.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) data: Data,
    pub(crate) session: SessionId,
    pub(crate) counter: Arc<dyn TokenCounter>,
    /// Whether commands are typed on the screen, on this session.
    pub(crate) on_screen: bool,
}

/// Who writes to a session.
pub(crate) enum Hand<'a> {
    /// A command: it takes the session's lock.
    Own,
    /// The agent that has the session open, and with it the lock.
    Agent(&'a mut Agent, &'a dyn EventSink),
}

/// A session's whole log, and what the model sees of it.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) records: Vec<Record>,
    pub(crate) view: View,
}

impl Log {
    /// The session's groups, oldest first.
    pub(crate) fn groups(&self) -> Vec<Group> {
        groups(&self.records, &self.view)
    }
}

/// What is printed: as text for a person, fit for a terminal, and as a value for a program.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) json: serde_json::Value,
}

impl Answer {
    /// Lines for a person; a program gets them as `told`.
    pub(crate) fn told(lines: &[String]) -> Self {
        Self { text: plain(&lines.join("\n")), json: serde_json::json!({ "told": lines }) }
    }
}

impl Desk {
    /// Finds a session in a data folder.
    pub(crate) async fn open(name: &str, data_dir: Option<PathBuf>) -> anyhow::Result<Self> {
        let data = Data::open(data_dir).await?;
        let session = data.find(name).await?;
        Ok(Self::of(data, session))
    }

    /// A session that is found already.
    pub(crate) fn of(data: Data, session: SessionId) -> Self {
        Self { data, session, counter: Estimator::Script.counter(), on_screen: false }
    }

    /// Takes the right to write the session; `None`: the agent has it.
    pub(crate) fn lock(&self, hand: &Hand<'_>) -> anyhow::Result<Option<SessionLock>> {
        match hand {
            Hand::Own => Ok(Some(lock_session(self.data.folder.root(), &self.session)?)),
            Hand::Agent(..) => Ok(None),
        }
    }

    /// Reads the whole log.
    pub(crate) async fn log(&self) -> anyhow::Result<Log> {
        let records = records(&self.data, &self.session).await?;
        let view = project(&records, self.counter.as_ref())
            .with_context(|| format!("the log of session {} is damaged", self.session))?;
        Ok(Log { records, view })
    }

    /// Makes a change. The caller holds the lock.
    pub(crate) async fn change(&self, hand: &mut Hand<'_>, change: Change) -> anyhow::Result<Changed> {
        if let Hand::Agent(agent, sink) = hand {
            return Ok(agent.change(change, *sink).await?);
        }
        let (log, snapshots) = (self.data.store.message_log(), self.data.store.snapshots());
        let results = self.data.store.results();
        let ports = SessionPorts {
            session: &self.session,
            log: &log,
            snapshots: &snapshots,
            results: &results,
            counter: self.counter.as_ref(),
        };
        Ok(change_session(&ports, change, now()).await?)
    }

    /// Gives a document another text, by the user. The caller holds the lock. The place of the new revision.
    pub(crate) async fn write(
        &self,
        hand: &mut Hand<'_>,
        log: &Log,
        name: DocumentName,
        text: &str,
    ) -> anyhow::Result<Seq> {
        if let Hand::Agent(agent, sink) = hand {
            return Ok(agent.set_document(name, text, *sink).await);
        }
        let record = DocumentRecord { name, text: text.to_owned(), by: Source::User };
        Ok(self.append(log, RecordBody::Document(record)).await?.seq)
    }

    /// Appends a record to the log. The caller holds the lock, and no agent has the session open.
    pub(crate) async fn append(&self, log: &Log, body: RecordBody) -> anyhow::Result<Record> {
        let seq = log.records.last().map(|record| record.seq).unwrap_or_default().next();
        let newest = log.records.iter().map(|record| record.exchange).max().unwrap_or_default();
        // What is written into a hidden group is hidden with it.
        let hidden = log.view.groups().status(newest).is_hidden();
        let exchange = if hidden { newest.next() } else { newest };
        let record = Record { seq, at: now(), exchange, body };
        self.data.store.message_log().append(&self.session, std::slice::from_ref(&record)).await?;
        Ok(record)
    }

    /// A command line on this session, for a person to copy.
    pub(crate) fn command(&self, command: &str, rest: &str) -> String {
        let rest = if rest.is_empty() { String::new() } else { format!(" {rest}") };
        if self.on_screen {
            let command = match command {
                "scratchpad" | "state" => format!("session {command}"),
                other => other.to_owned(),
            };
            return format!("/{command}{rest}");
        }
        format!("throughline{} {command} {}{rest}", self.data.option, self.session)
    }
}
