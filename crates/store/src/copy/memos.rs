//! Copying memos.

use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder,
};

use super::CopyError;
use crate::entity::memo::{ActiveModel, Column, Entity, Model};
use crate::memory_words::{self, Entry};
use crate::store::Store;

/// What became of memos.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CopiedMemos {
    /// How many were copied.
    pub copied: u64,
    /// How many the other database had already, under this name or another one.
    pub same: u64,
    /// The names that another memo has there. These were not copied.
    pub taken: Vec<String>,
}

impl Store {
    /// Copies all memos to another database, with their names, tags and times.
    ///
    /// # Errors
    /// [`CopyError::Database`]. No memo is copied then.
    pub async fn copy_memos(&self, to: &Store) -> Result<CopiedMemos, CopyError> {
        let source = self.database();
        let rows = Entity::find().order_by_asc(Column::RowId).all(&source.connection).await;
        let rows = rows.map_err(|error| source.fault(error))?;
        let target = to.database();
        let copied = async {
            let transaction = target.begin().await?;
            let mut copied = CopiedMemos::default();
            for row in rows {
                copy(&transaction, row, &mut copied).await?;
            }
            transaction.commit().await?;
            Ok(copied)
        };
        let copied: Result<CopiedMemos, DbErr> = copied.await;
        Ok(copied.map_err(|error| target.fault(error))?)
    }
}

async fn copy(transaction: &DatabaseTransaction, row: Model, copied: &mut CopiedMemos) -> Result<(), DbErr> {
    if let Some(there) = Entity::find().filter(Column::Id.eq(row.id.as_str())).one(transaction).await? {
        if (Model { row_id: row.row_id, ..there }) == row {
            copied.same += 1;
        } else {
            copied.taken.push(row.id);
        }
        return Ok(());
    }
    let same = Entity::find().filter(Column::Digest.eq(row.digest)).all(transaction).await?;
    if same.iter().any(|there| there.content == row.content && there.workspace == row.workspace) {
        copied.same += 1;
        return Ok(());
    }
    let tags: Vec<String> = row.tags.split_whitespace().map(str::to_owned).collect();
    let content = row.content.clone();
    let new = ActiveModel {
        row_id: NotSet,
        id: Set(row.id),
        content: Set(row.content),
        tags: Set(row.tags),
        workspace: Set(row.workspace),
        digest: Set(row.digest),
        session_id: Set(row.session_id),
        exchange: Set(row.exchange),
        created_at: Set(row.created_at),
        updated_at: Set(row.updated_at),
    };
    let number = Entity::insert(new).exec(transaction).await?.last_insert_id;
    memory_words::add(transaction, Entry::Memo(number), &content, &tags).await?;
    copied.copied += 1;
    Ok(())
}
