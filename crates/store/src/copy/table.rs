//! The tables of a session, column by column.

use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};
use sha2::{Digest as _, Sha256};
use throughline_conversation::SessionId;

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::{Dialect, statement};

/// A table whose rows belong to sessions.
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The column that orders the rows of a session; it is the second one.
    columns: &'static [(&'static str, Kind)],
    /// Rows that are in memory at a time.
    page: u64,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Bytes,
    /// A text that is read as bytes.
    Json,
    /// The address of the object that has the content, which is read from there: another database has objects of its own.
    Object,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    Text(String),
    Number(i64),
    Bytes(Vec<u8>),
    /// `None`: the content is in the row.
    Object(Option<String>),
}

const SESSION: (&str, Kind) = ("session_id", Kind::Text);

/// All of them. Records and results come first: they are counted.
pub(super) const TABLES: [Table; 6] = [
    Table {
        name: "log",
        columns: &[
            SESSION,
            ("seq", Kind::Number),
            ("kind", Kind::Text),
            ("exchange", Kind::Number),
            ("at", Kind::Number),
            ("digest", Kind::Number),
            ("payload", Kind::Json),
        ],
        page: 100,
    },
    Table {
        name: "tool_result_blobs",
        columns: &[
            SESSION,
            ("id", Kind::Text),
            ("tool_name", Kind::Text),
            ("content", Kind::Bytes),
            ("byte_size", Kind::Number),
            ("created_at", Kind::Number),
            ("object", Kind::Object),
        ],
        page: 4,
    },
    Table {
        name: "session_contexts",
        columns: &[
            SESSION,
            ("covers", Kind::Number),
            ("source", Kind::Text),
            ("worker", Kind::Text),
            ("context", Kind::Text),
            ("created_at", Kind::Number),
        ],
        page: 4,
    },
    Table {
        name: "session_snapshots",
        columns: &[
            SESSION,
            ("covers", Kind::Number),
            ("epoch", Kind::Number),
            ("messages", Kind::Json),
            ("token_count", Kind::Number),
            ("digest", Kind::Number),
            ("created_at", Kind::Number),
        ],
        page: 1,
    },
    Table { name: "session_owners", columns: &[SESSION, ("owner", Kind::Text)], page: 1 },
    Table {
        name: "session_parents",
        columns: &[SESSION, ("parent_id", Kind::Text), ("kind", Kind::Text), ("call_id", Kind::Text)],
        page: 1,
    },
];

impl Table {
    fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    fn key(&self) -> (&'static str, Kind) {
        self.columns.get(1).copied().unwrap_or(SESSION)
    }

    /// Returns true if contents of its rows may be in objects.
    pub(super) fn has_objects(&self) -> bool {
        self.columns.iter().any(|(_, kind)| *kind == Kind::Object)
    }

    /// Before the first row.
    pub(super) fn start(&self) -> Cell {
        if self.key().1 == Kind::Number { Cell::Number(i64::MIN) } else { Cell::Text(String::new()) }
    }

    /// The rows of a session after a key, which moves to the last of them; `None`: there are no more.
    pub(super) async fn page(
        &self,
        database: &Database,
        session: &SessionId,
        after: &mut Cell,
    ) -> Result<Option<Vec<Vec<Cell>>>, DatabaseError> {
        let (columns, name, key, page) = (self.names(), self.name, self.key().0, self.page);
        let sql = format!(
            "SELECT {columns} FROM {name} WHERE session_id = ? AND {key} > ? ORDER BY {key} LIMIT {page}"
        );
        let values = [session.as_str().into(), after.clone().value()];
        let connection = &database.connection;
        let found = connection.query_all_raw(statement(connection, sql, values)).await;
        let read = |row: QueryResult| self.row(&row);
        let rows = found.and_then(|rows| rows.into_iter().map(read).collect::<Result<Vec<_>, DbErr>>());
        let rows = rows.map_err(|error| database.fault(error))?;
        if let Some(key) = rows.last().and_then(|row| row.get(1)) {
            *after = key.clone();
        }
        Ok(if rows.is_empty() { None } else { Some(rows) })
    }

    fn row(&self, row: &QueryResult) -> Result<Vec<Cell>, DbErr> {
        let cell = |(at, (_, kind)): (usize, &(&str, Kind))| match kind {
            Kind::Text => row.try_get_by_index(at).map(Cell::Text),
            Kind::Number => row.try_get_by_index(at).map(Cell::Number),
            Kind::Bytes | Kind::Json => row.try_get_by_index(at).map(Cell::Bytes),
            Kind::Object => row.try_get_by_index(at).map(Cell::Object),
        };
        self.columns.iter().enumerate().map(cell).collect()
    }

    /// The statement that writes rows. `None`: a text is not one.
    pub(super) fn insert(
        &self,
        connection: &impl ConnectionTrait,
        rows: Vec<Vec<Cell>>,
    ) -> Option<Statement> {
        let dialect = Dialect::of(connection);
        let one = format!("({})", vec!["?"; self.columns.len()].join(","));
        let marks = vec![one.as_str(); rows.len()].join(",");
        let sql = format!("INSERT INTO {} ({}) VALUES {marks}", self.name, self.names());
        let kinds = self.columns.iter().map(|(_, kind)| *kind).cycle();
        let value = |(cell, kind): (Cell, Kind)| match (cell, kind) {
            (Cell::Bytes(bytes), Kind::Json) => Some(dialect.text(String::from_utf8(bytes).ok()?)),
            (cell, _) => Some(cell.value()),
        };
        let values = rows.into_iter().flatten().zip(kinds).map(value).collect::<Option<Vec<Value>>>()?;
        Some(statement(connection, sql, values))
    }
}

impl Cell {
    fn value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Number(number) => number.into(),
            Self::Bytes(bytes) => bytes.into(),
            Self::Object(address) => address.into(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Number(number) => number.to_le_bytes().to_vec(),
            Self::Bytes(bytes) => bytes.clone(),
            // Where a content is stored is no part of it.
            Self::Object(_) => Vec::new(),
        }
    }
}

/// The digest of rows, in their order.
#[derive(Default)]
pub(super) struct Digest(Sha256);

impl Digest {
    /// Adds a row. No two rows have the same bytes, because each part has its length before it.
    pub(super) fn add(&mut self, table: &str, row: &[Cell]) {
        self.part(table.as_bytes());
        row.iter().for_each(|cell| self.part(&cell.bytes()));
    }

    fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    pub(super) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
