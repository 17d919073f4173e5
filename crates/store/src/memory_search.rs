//! Searching memos and memory files in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};
use throughline_memory::{Chunk, Kinds, MemoryHit, MemorySearch, NoteError, Query, Scope, TAG_WEIGHT};

use crate::database::Database;
use crate::dialect::statement;
use crate::entity::memo::Model;
use crate::memory_words;
use crate::note_repository::memo;

/// Searches memos and memory files.
#[derive(Debug, Clone)]
pub struct SeaMemorySearch {
    database: Arc<Database>,
}

impl SeaMemorySearch {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }
}

fn hit(row: &QueryResult) -> Result<MemoryHit, DbErr> {
    let number: Option<i64> = row.try_get("", "memo_row")?;
    let Some(row_id) = number else {
        let line = |column| row.try_get::<i64>("", column).map(i64::unsigned_abs);
        let text = row.try_get("", "chunk_content")?;
        let chunk = Chunk { first_line: line("first_line")?, last_line: line("last_line")?, text };
        return Ok(MemoryHit::Chunk { name: row.try_get("", "name")?, chunk });
    };
    Ok(MemoryHit::Memo(memo(Model {
        row_id,
        id: row.try_get("", "id")?,
        content: row.try_get("", "memo_content")?,
        tags: row.try_get("", "tags")?,
        workspace: row.try_get("", "workspace")?,
        digest: row.try_get("", "digest")?,
        session_id: row.try_get("", "session_id")?,
        exchange: row.try_get("", "exchange")?,
        created_at: row.try_get("", "created_at")?,
        updated_at: row.try_get("", "updated_at")?,
    })))
}

#[async_trait]
impl MemorySearch for SeaMemorySearch {
    async fn search(&self, query: &Query, scope: &Scope, limit: usize) -> Result<Vec<MemoryHit>, NoteError> {
        if query.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let (search, words) = self.database.dialect().memory_search(query);
        let values: [Value; 7] = [
            words.into(),
            scope.worked_in().map(str::to_owned).into(),
            (query.kinds() != Kinds::Files).into(),
            (query.kinds() != Kinds::Memos).into(),
            TAG_WEIGHT.into(),
            memory_words::limit(limit).into(),
            scope.root().map(str::to_owned).into(),
        ];
        let connection = &self.database.connection;
        let rows = connection.query_all_raw(statement(connection, search, values)).await;
        let hits = rows.and_then(|rows| rows.iter().map(hit).collect());
        hits.map_err(|error| memory_words::failed(&self.database, error))
    }
}
