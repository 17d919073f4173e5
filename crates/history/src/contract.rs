//! What every implementation of [`HistoryDatabase`] must do. The function panics at the first rule that is broken.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken contract is reported by a panic"
)]

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{InMemoryMessageLog, MessageLog, Part};
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, SessionId, Source,
};

use crate::answer::Cell;
use crate::database::HistoryDatabase;
use crate::error::QueryError;
use crate::row::{COLUMNS, HistoryRow};
use crate::rows::{GroupMarks, history_rows};
use crate::source::SessionHistory;

/// Checks a database that was not asked before.
pub async fn contract_history_database(database: &dyn HistoryDatabase) {
    let asking = Asking { database, log: InMemoryMessageLog::new(), session: session("asked") };
    let all = sample_log(7, 150);
    let none = GroupMarks::default();
    assert_eq!(asking.numbers("SELECT id FROM messages", &none).await, Vec::<i64>::new());
    let (early, late) = all.split_at(90);
    asking.log.append(&asking.session, early).await.unwrap();
    asking.holds(early, &none).await;
    asking.refuses(&none).await;
    asking.log.append(&asking.session, late).await.unwrap();
    asking.holds(&all, &none).await;
    asking.marks(&all).await;
    asking.others_are_apart(&none).await;
    asking.finds_whole_keys(&none).await;
    database.forget(&asking.session).await;
    asking.holds(&all, &none).await;
}

struct Asking<'a> {
    database: &'a dyn HistoryDatabase,
    log: InMemoryMessageLog,
    session: SessionId,
}

impl Asking<'_> {
    fn history<'a>(&'a self, marks: &'a GroupMarks) -> SessionHistory<'a> {
        SessionHistory { log: &self.log, session: &self.session, marks }
    }

    async fn rows(&self, sql: &str, marks: &GroupMarks) -> Vec<Vec<Cell>> {
        self.database.query(&self.history(marks), sql).await.unwrap().rows
    }

    async fn numbers(&self, sql: &str, marks: &GroupMarks) -> Vec<i64> {
        let rows = self.rows(sql, marks).await;
        let number = |row: &Vec<Cell>| match row.as_slice() {
            [Cell::Integer(number)] => *number,
            other => panic!("no number: {other:?}"),
        };
        rows.iter().map(number).collect()
    }

    /// The table has the rows of these records, to the letter.
    async fn holds(&self, records: &[Record], marks: &GroupMarks) {
        let rows = history_rows(records.iter().cloned(), marks);
        assert!(rows.len() > 20);
        let count = i64::try_from(rows.len()).unwrap();
        assert_eq!(self.numbers("SELECT count(*) FROM messages", marks).await, [count]);
        let star = "SELECT * FROM messages LIMIT 1";
        assert_eq!(self.database.query(&self.history(marks), star).await.unwrap().columns, COLUMNS);
        for row in &rows {
            let sql = format!("SELECT * FROM messages WHERE id={}", row.id);
            assert_eq!(self.rows(&sql, marks).await, [cells(row)], "row {}", row.id);
        }
    }

    /// What may not run changes nothing.
    async fn refuses(&self, marks: &GroupMarks) {
        for sql in [
            "DELETE FROM messages",
            "SELECT 1; DELETE FROM messages",
            "UPDATE messages SET content = ''",
            "CREATE TEMP TABLE messages(id)",
            "PRAGMA query_only = OFF",
            "ATTACH ':memory:' AS other",
            "EXPLAIN SELECT 1",
        ] {
            let refused = self.database.query(&self.history(marks), sql).await;
            assert!(matches!(refused, Err(QueryError::Refused(_))), "{sql}: {refused:?}");
        }
        let wrong = self.database.query(&self.history(marks), "SELECT nowhere FROM messages").await;
        assert!(matches!(&wrong, Err(QueryError::Sql(text)) if text.contains("created_at")), "{wrong:?}");
        let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t";
        let stopped = self.database.query(&self.history(marks), endless).await;
        assert!(matches!(stopped, Err(QueryError::TooSlow(_))), "{stopped:?}");
        let records = self.log.read_page(&self.session, Seq(0), Part::All).await.unwrap().records;
        self.holds(&records, marks).await;
    }

    /// Rows follow the status of their exchanges in both directions.
    async fn marks(&self, all: &[Record]) {
        let (first, second) = (ExchangeId(1), ExchangeId(2));
        let marked = GroupMarks { dropped: [first].into(), undone: [second].into() };
        self.holds(all, &marked).await;
        let dropped = "SELECT DISTINCT group_id FROM messages WHERE status = 'dropped'";
        assert_eq!(self.numbers(dropped, &marked).await, [1]);
        assert_eq!(
            self.numbers("SELECT id FROM messages WHERE group_id = 2", &marked).await,
            Vec::<i64>::new()
        );
        self.holds(all, &GroupMarks::default()).await;
    }

    /// The second example of the tool's description finds a key, and not the longer ones that begin with it.
    async fn finds_whole_keys(&self, marks: &GroupMarks) {
        let session = session("keys");
        let texts = ["probe-2 is red", "probe-20 is blue", "the newest is probe-2"];
        let said = |(place, text): (u64, &str)| Record {
            seq: Seq(place),
            at: Millis(0),
            exchange: ExchangeId(1),
            body: RecordBody::Message(MessageRecord {
                message: Message::user(text),
                source: Source::User,
                usage: None,
            }),
        };
        let records: Vec<Record> = (1..).zip(texts).map(said).collect();
        self.log.append(&session, &records).await.unwrap();
        let history = SessionHistory { log: &self.log, session: &session, marks };
        let (_, sql) =
            include_str!("query_db.md").split_once("LIMIT 10\nSELECT").expect("the second example");
        let (sql, _) = sql.split_once("LIMIT 5").expect("its end");
        let found = self.database.query(&history, &format!("SELECT {sql} LIMIT 5")).await.unwrap().rows;
        let start = |row: &Vec<Cell>| match row.last() {
            Some(Cell::Text { text, .. }) => text.clone(),
            other => panic!("no text: {other:?}"),
        };
        assert_eq!(found.iter().map(start).collect::<Vec<_>>(), [texts[2], texts[0]]);
    }

    /// Another session of the same log has rows of its own only.
    async fn others_are_apart(&self, marks: &GroupMarks) {
        let other = session("another");
        let foreign = sample_log(3, 20);
        self.log.append(&other, &foreign).await.unwrap();
        let history = SessionHistory { log: &self.log, session: &other, marks };
        let count = i64::try_from(history_rows(foreign, marks).len()).unwrap();
        let sql = "SELECT count(*) FROM messages";
        let answer = self.database.query(&history, sql).await.unwrap();
        assert_eq!(answer.rows, [[Cell::Integer(count)]]);
    }
}

fn cells(row: &HistoryRow) -> Vec<Cell> {
    let text = |text: &str| Cell::Text { text: text.to_owned(), chars: text.chars().count() };
    let number = |number: u64| Cell::Integer(i64::try_from(number).unwrap());
    let optional = |value: &Option<String>| value.as_deref().map_or(Cell::Null, text);
    vec![
        Cell::Integer(row.id),
        number(row.group.0),
        number(row.seq.0),
        text(row.role.as_str()),
        text(row.kind.as_str()),
        text(row.status.as_str()),
        optional(&row.tool_name),
        optional(&row.tool_call_id),
        Cell::Integer(i64::from(row.is_error)),
        text(&row.content),
        optional(&row.model),
        row.tokens.map_or(Cell::Null, Cell::Integer),
        Cell::Integer(row.created_at.0),
    ]
}
