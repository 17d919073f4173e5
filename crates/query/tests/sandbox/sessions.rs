//! Sessions to ask.

use std::sync::Arc;
use std::time::Duration;

use throughline_continuity::{InMemoryMessageLog, MessageLog};
use throughline_conversation::{
    Action, ContentBlock, Edit, EditReason, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody,
    Seq, SessionId, Source, Span, ToolResult, Usage,
};
use throughline_history::{GroupMarks, HistoryDatabase, QueryAnswer, QueryError, SessionHistory};
use throughline_query::{Limits, SqliteHistory};

/// A text that only the other session has.
pub(crate) const SECRET: &str = "hunter2-of-another-session";

/// Sessions in one log, and the database that is asked about them.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) log: InMemoryMessageLog,
    pub(crate) database: Arc<SqliteHistory>,
    pub(crate) session: SessionId,
    pub(crate) marks: GroupMarks,
}

impl Place {
    /// The session of `data/session.txt`, and another one, which was asked before.
    pub(crate) async fn new(limits: Limits) -> Self {
        let log = InMemoryMessageLog::new();
        let session = SessionId::new("mine").unwrap();
        log.append(&session, &sample_session()).await.unwrap();
        let other = SessionId::new("other").unwrap();
        let foreign = throughline_testkit::records(&format!("user: {SECRET}\nassistant: {SECRET} {SECRET}"));
        log.append(&other, &foreign).await.unwrap();
        let marks = GroupMarks { dropped: [ExchangeId(4)].into(), undone: [ExchangeId(6)].into() };
        let place = Self { log, database: Arc::new(SqliteHistory::new(limits)), session, marks };
        let none = GroupMarks::default();
        let asked = SessionHistory { log: &place.log, session: &other, marks: &none };
        let found = place
            .database
            .query(&asked, "SELECT count(*) FROM messages WHERE content LIKE '%hunter2%'")
            .await;
        assert_eq!(found.unwrap().rows, [[throughline_history::Cell::Integer(2)]]);
        place
    }

    pub(crate) async fn ask(&self, sql: &str) -> Result<QueryAnswer, QueryError> {
        let history = SessionHistory { log: &self.log, session: &self.session, marks: &self.marks };
        self.database.query(&history, sql).await
    }

    /// The answer to what takes no time, asked again when the machine stood still for the whole deadline.
    pub(crate) async fn settled(&self, sql: &str) -> QueryAnswer {
        let mut answer = self.ask(sql).await;
        for _ in 0..20 {
            if !matches!(answer, Err(QueryError::TooSlow(_))) {
                break;
            }
            answer = self.ask(sql).await;
        }
        answer.unwrap()
    }

    /// The answer as the model reads it, or the error.
    pub(crate) async fn read(&self, sql: &str) -> String {
        match self.ask(sql).await {
            Ok(answer) => answer.page(throughline_history::PageSize::default()).text,
            Err(error) => format!("error: {error}"),
        }
    }
}

/// Limits that make a test short.
pub(crate) fn quick() -> Limits {
    Limits { deadline: Duration::from_millis(250), ..Limits::default() }
}

/// The session of the file, with times, models, figures, and a summary at its end.
pub(crate) fn sample_session() -> Vec<Record> {
    let mut records = throughline_testkit::records(include_str!("data/session.txt"));
    for record in &mut records {
        let seq = record.seq.0;
        record.at = Millis(1_760_000_000_000 + i64::try_from(seq).unwrap() * 60_000);
        if let RecordBody::Message(MessageRecord { source, usage, .. }) = &mut record.body
            && let Source::Model(name) = source
        {
            *name = if seq < 20 { "alpha-1".to_owned() } else { "beta-2".to_owned() };
            *usage =
                Some(Usage { input: 100 * seq, cache_read: 1_000, cache_write: 0, output: 10, searches: 0 });
        }
    }
    let last = records.last().unwrap();
    let summary = Some("The flaky test came from a shared temp folder; it is fixed.".to_owned());
    let covered = Action::Cover { span: Span { first: Seq(1), last: Seq(4) }, summary, note: None };
    let edit = Edit { reason: EditReason::Manual, actions: vec![covered], strategies: Vec::new() };
    let (seq, at, exchange) = (last.seq.next(), Millis(last.at.0 + 60_000), last.exchange);
    records.push(Record { seq, at, exchange, body: RecordBody::Edit(edit) });
    records
}

/// A record of one tool result.
pub(crate) fn result(seq: u64, call: &str, content: String) -> Record {
    message(
        seq,
        Message {
            content: vec![ContentBlock::ToolResult(ToolResult::text(call, content))],
            ..Message::user("")
        },
    )
}

/// A record of one message from a person.
pub(crate) fn message(seq: u64, message: Message) -> Record {
    let body = RecordBody::Message(MessageRecord { message, source: Source::User, usage: None });
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(1), body }
}
