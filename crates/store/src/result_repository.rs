//! Tool results in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use throughline_conversation::{Millis, ResultRef, SessionId};
use throughline_resultstore::{ResultInfo, ResultRepository, StoreError, StoredResult};

use crate::database::Database;
use crate::entity::result_blob::{ActiveModel, Column, Entity};
use crate::fault::is_foreign_key;
use crate::sealed::RowName;

/// Keeps tool results.
#[derive(Debug, Clone)]
pub struct SeaResultRepository {
    database: Arc<Database>,
}

impl SeaResultRepository {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    fn failed(&self, error: DbErr) -> StoreError {
        StoreError::Other(self.database.fault(error).into())
    }
}

fn named(session: &SessionId, id: &ResultRef) -> Select<Entity> {
    Entity::find().filter(Column::SessionId.eq(session.as_str())).filter(Column::Id.eq(id.as_str()))
}

/// The name of a result's row.
pub(crate) fn row_name<'a>(session: &'a str, id: &'a str) -> RowName<'a> {
    RowName { table: "tool_result_blobs", session, name: id }
}

#[async_trait]
impl ResultRepository for SeaResultRepository {
    async fn put(&self, result: &StoredResult) -> Result<(), StoreError> {
        let size = i64::try_from(result.content.len()).map_err(|error| StoreError::Other(error.into()))?;
        let name = row_name(result.session.as_str(), result.id.as_str());
        let sealed = self.database.seal(name, &result.content).await;
        let sealed = sealed.map_err(|error| StoreError::Other(error.into()))?;
        let new = ActiveModel {
            session_id: Set(result.session.as_str().to_owned()),
            id: Set(result.id.as_str().to_owned()),
            tool_name: Set(result.tool.clone()),
            content: Set(sealed),
            byte_size: Set(size),
            created_at: Set(result.at.0),
        };
        let stays = OnConflict::columns([Column::Id, Column::SessionId]).do_nothing().to_owned();
        let insert = Entity::insert_many([new]).on_conflict(stays);
        let writing = self.database.writing(&result.session).await;
        let writing = writing.map_err(|error| StoreError::Other(error.into()))?;
        match insert.exec_without_returning(&writing).await {
            Ok(1..) => return writing.done().await.map_err(|error| self.failed(error)),
            Ok(0) => drop(writing),
            Err(error) if is_foreign_key(&error) => {
                let text = format!("there is no session {}", result.session);
                return Err(StoreError::Other(text.into()));
            }
            Err(error) => return Err(self.failed(error)),
        }
        match self.get(&result.session, &result.id).await? {
            Some(there) if there.content == result.content => Ok(()),
            _ => Err(StoreError::Conflict(result.id.clone())),
        }
    }

    async fn get(&self, session: &SessionId, id: &ResultRef) -> Result<Option<StoredResult>, StoreError> {
        let row =
            named(session, id).one(&self.database.connection).await.map_err(|error| self.failed(error))?;
        let Some(row) = row else { return Ok(None) };
        let content = self.database.unseal(row_name(session.as_str(), id.as_str()), row.content);
        Ok(Some(StoredResult {
            session: session.clone(),
            id: id.clone(),
            tool: row.tool_name,
            content: content.map_err(|error| StoreError::Other(error.into()))?,
            at: Millis(row.created_at),
        }))
    }

    async fn list(&self, session: &SessionId) -> Result<Vec<ResultInfo>, StoreError> {
        let rows: Vec<(String, String, i64, i64)> = Entity::find()
            .filter(Column::SessionId.eq(session.as_str()))
            .select_only()
            .columns([Column::Id, Column::ToolName, Column::ByteSize, Column::CreatedAt])
            .order_by_asc(Column::CreatedAt)
            .order_by_asc(Column::Id)
            .into_tuple()
            .all(&self.database.connection)
            .await
            .map_err(|error| self.failed(error))?;
        let info = |(id, tool, size, at): (String, String, i64, i64)| ResultInfo {
            id: ResultRef::from_text(&id),
            tool,
            bytes: size.unsigned_abs(),
            at: Millis(at),
        };
        Ok(rows.into_iter().map(info).collect())
    }

    async fn remove(&self, session: &SessionId, id: &ResultRef) -> Result<bool, StoreError> {
        let removed = Entity::delete_many()
            .filter(Column::SessionId.eq(session.as_str()))
            .filter(Column::Id.eq(id.as_str()))
            .exec(&self.database.connection)
            .await;
        removed.map(|removed| removed.rows_affected > 0).map_err(|error| self.failed(error))
    }
}
