//! The copy of one session's history.

use std::time::Instant;

use rusqlite::{Connection, Error, Result, Transaction, params};
use throughline_conversation::Seq;
use throughline_history::{GroupMarks, HistoryPart, HistoryRow, QueryAnswer, QueryError};

use crate::authorizer::Refusals;
use crate::deadline::Deadline;
use crate::fault::fault;
use crate::limits::Limits;
use crate::read::{Compiled, compile, run};
use crate::{sandbox, weigh};

/// A database with the rows of one session, up to a place in its log.
#[derive(Debug)]
pub(crate) struct Copy {
    connection: Connection,
    /// Rows of all records up to here are in it.
    pub(crate) through: Seq,
    /// The log could not be read up to here.
    pub(crate) unread: Option<Seq>,
    /// What the rows say of exchanges.
    pub(crate) marks: GroupMarks,
    /// Bytes of the longest text.
    longest: usize,
    /// Bytes that the rows take, about.
    pub(crate) bytes: usize,
    deadline: Deadline,
    refusals: Refusals,
}

/// Bytes of a row without its texts, about.
const ROW_BYTES: usize = 100;

impl Copy {
    /// A copy without rows.
    pub(crate) fn empty(marks: GroupMarks) -> Result<Self> {
        Ok(Self {
            connection: sandbox::create()?,
            through: Seq(0),
            unread: None,
            marks,
            longest: 0,
            bytes: 0,
            deadline: Deadline::default(),
            refusals: Refusals::default(),
        })
    }

    /// Takes in what the log has gained. After an error the copy must not be used.
    pub(crate) fn grow(&mut self, part: &HistoryPart) -> Result<()> {
        if !part.rows.is_empty() {
            let begun = Instant::now();
            sandbox::open(&self.connection)?;
            let transaction = self.connection.transaction()?;
            insert(&transaction, &part.rows)?;
            transaction.commit()?;
            let rows = part.rows.len();
            tracing::debug!(rows, took_us = begun.elapsed().as_micros(), "history copied");
        }
        for row in &part.rows {
            self.longest = self.longest.max(row.content.len());
            self.bytes = self.bytes.saturating_add(row.content.len()).saturating_add(ROW_BYTES);
        }
        self.through = part.through;
        self.unread = part.unread.or(self.unread);
        Ok(())
    }

    /// Runs one statement.
    pub(crate) fn query(&self, sql: &str, limits: &Limits) -> std::result::Result<QueryAnswer, QueryError> {
        weigh::check(sql)?;
        let milliseconds = u64::try_from(limits.deadline.as_millis()).unwrap_or(u64::MAX);
        let named = |error: Error| fault(error, self.refusals.take(), milliseconds);
        // Every time: a copy that was open for rows is closed by this, and by nothing else.
        sandbox::close(&self.connection, self.longest, &self.deadline, &self.refusals).map_err(named)?;
        self.refusals.take();
        self.deadline.start(limits.deadline);
        let answer = match compile(&self.connection, sql) {
            Ok(Compiled::Ready(mut statement)) => run(&mut statement, limits).map_err(named),
            Ok(Compiled::Refused(why)) => Err(why),
            Err(error) => Err(named(error)),
        };
        self.deadline.clear();
        answer.map(|answer| QueryAnswer { unread: self.unread, ..answer })
    }
}

fn insert(transaction: &Transaction<'_>, rows: &[HistoryRow]) -> Result<()> {
    let mut statement = transaction.prepare_cached(include_str!("insert.sql"))?;
    for row in rows {
        let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        statement.execute(params![
            row.id,
            number(row.group.0),
            number(row.seq.0),
            row.role.as_str(),
            row.kind.as_str(),
            row.status.as_str(),
            row.tool_name,
            row.tool_call_id,
            row.is_error,
            row.content,
            row.model,
            row.tokens,
            row.created_at.0,
        ])?;
    }
    Ok(())
}
