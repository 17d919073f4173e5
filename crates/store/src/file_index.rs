//! The index of memory files in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder,
};
use throughline_memory::{Chunk, FileIndex, MemoryFile, NoteError, Scope};

use crate::database::Database;
use crate::dialect::Dialect;
use crate::entity::memory_chunk;
use crate::entity::memory_file::{ActiveModel, Column, Entity, Model};
use crate::memory_words::{self, Entry};

/// Keeps memory files in pieces.
#[derive(Debug, Clone)]
pub struct SeaFileIndex {
    database: Arc<Database>,
}

impl SeaFileIndex {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    fn failed(&self, error: DbErr) -> NoteError {
        memory_words::failed(&self.database, error)
    }
}

async fn replace_in(
    transaction: &DatabaseTransaction,
    file: &MemoryFile,
    chunks: &[Chunk],
) -> Result<(), DbErr> {
    // The chunks go with their file, and a trigger takes their words out of the index.
    Entity::delete_many().filter(Column::Path.eq(file.path.as_str())).exec(transaction).await?;
    let row = ActiveModel {
        path: Set(file.path.clone()),
        name: Set(file.name.clone()),
        workspace: Set(file.workspace.clone()),
        stamp: Set(file.stamp.clone()),
        ..ActiveModel::default()
    };
    let number = Entity::insert(row).exec(transaction).await?.last_insert_id;
    for chunk in chunks {
        let row = memory_chunk::ActiveModel {
            file: Set(number),
            first_line: Set(chunk.first_line.cast_signed()),
            last_line: Set(chunk.last_line.cast_signed()),
            content: Set(Dialect::of(transaction).text_without_nul(&chunk.text)),
            ..memory_chunk::ActiveModel::default()
        };
        let number = memory_chunk::Entity::insert(row).exec(transaction).await?.last_insert_id;
        memory_words::add(transaction, Entry::Chunk(number), &chunk.text, &[]).await?;
    }
    Ok(())
}

#[async_trait]
impl FileIndex for SeaFileIndex {
    async fn known(&self, scope: &Scope) -> Result<Vec<MemoryFile>, NoteError> {
        let mut files = Entity::find();
        if let Some(workspace) = scope.worked_in() {
            files = files.filter(Column::Workspace.is_null().or(Column::Workspace.eq(workspace)));
        }
        let rows = files.order_by_asc(Column::Path).all(&self.database.connection).await;
        let file = |row: Model| MemoryFile {
            path: row.path,
            name: row.name,
            workspace: row.workspace,
            stamp: row.stamp,
        };
        Ok(rows.map_err(|error| self.failed(error))?.into_iter().map(file).collect())
    }

    async fn replace(&self, file: &MemoryFile, chunks: &[Chunk]) -> Result<(), NoteError> {
        let replace = || async {
            let transaction = self.database.begin().await?;
            replace_in(&transaction, file, chunks).await?;
            transaction.commit().await
        };
        self.database.connection.repeat(replace).await.map_err(|error| self.failed(error))
    }

    async fn forget(&self, path: &str) -> Result<(), NoteError> {
        let gone = Entity::delete_many().filter(Column::Path.eq(path)).exec(&self.database.connection).await;
        gone.map(|_| ()).map_err(|error| self.failed(error))
    }
}
