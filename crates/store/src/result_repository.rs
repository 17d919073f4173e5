//! Tool results in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, InsertMany, QueryFilter, QueryOrder, QuerySelect,
    Select,
};
use throughline_conversation::{Millis, ResultRef, SessionId};
use throughline_resultstore::{ResultInfo, ResultRepository, StoreError, StoredResult};

use crate::blobs::Blobs;
use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::entity::result_blob::{ActiveModel, Column, Entity, Model};
use crate::fault::is_foreign_key;
use crate::objects::{Address, Put};
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

impl SeaResultRepository {
    /// Stores a row whose content is in an object. `None`: the content belongs into the row.
    async fn put_outside(
        &self,
        blobs: &Blobs,
        result: &StoredResult,
        sealed: &[u8],
    ) -> Result<Option<()>, StoreError> {
        let (session, id) = (&result.session, &result.id);
        if self.is_there(result, sealed).await? {
            return Ok(Some(()));
        }
        loop {
            let put = self.database.put_object(blobs, sealed).await.map_err(|error| self.failed(error))?;
            let Some(address) = put.address() else { return Ok(None) };
            let written = self.insert_with(result, &put, address).await;
            if let (Put::New(address), false) = (&put, matches!(written, Ok(Written::Row))) {
                self.database.abandon(address).await;
            }
            match written? {
                Written::Row => return Ok(Some(())),
                Written::Taken if self.is_there(result, sealed).await? => return Ok(Some(())),
                Written::Taken => return Err(StoreError::Conflict(id.clone())),
                // The object that was to be shared, or a day old, is being removed.
                Written::NoObject => {
                    tracing::debug!(%session, %id, "an object was removed; writing another one");
                }
            }
        }
    }

    async fn insert_with(
        &self,
        result: &StoredResult,
        put: &Put,
        address: &Address,
    ) -> Result<Written, StoreError> {
        let other = |error: DatabaseError| StoreError::Other(error.into());
        let transaction = self.database.begin_for(&result.session).await.map_err(other)?;
        let taken = self.database.take_object(&transaction, put).await;
        if !taken.map_err(|error| self.failed(error))? {
            return Ok(Written::NoObject);
        }
        let insert = insert(row(result, Vec::new(), Some(address))?);
        match insert.exec_without_returning(&transaction).await {
            Ok(0) => Ok(Written::Taken),
            Ok(_) => {
                transaction.commit().await.map_err(|error| self.failed(error))?;
                Ok(Written::Row)
            }
            Err(error) => Err(self.refused(error, &result.session)),
        }
    }

    /// Returns true if the result is stored already.
    ///
    /// # Errors
    /// [`StoreError::Conflict`]: its name is taken by other bytes.
    async fn is_there(&self, result: &StoredResult, sealed: &[u8]) -> Result<bool, StoreError> {
        let (session, id) = (&result.session, &result.id);
        let found = named(session, id).one(&self.database.connection).await;
        let Some(row) = found.map_err(|error| self.failed(error))? else { return Ok(false) };
        if row.byte_size == size(result)? {
            // The name of an object tells, unless it is encrypted.
            let named = row.object.as_ref().map(|object| Address::stored(object.clone()));
            if named.is_some_and(|address| address.names(sealed)) {
                return Ok(true);
            }
            if self.read(session, id, row).await?.content == result.content {
                return Ok(true);
            }
        }
        Err(StoreError::Conflict(id.clone()))
    }

    async fn read(
        &self,
        session: &SessionId,
        id: &ResultRef,
        row: Model,
    ) -> Result<StoredResult, StoreError> {
        let stored = self.database.content(session.as_str(), id.as_str(), row.content, row.object).await;
        let stored = stored.map_err(|error| StoreError::Other(error.into()))?;
        let content = self.database.unseal(row_name(session.as_str(), id.as_str()), stored);
        Ok(StoredResult {
            session: session.clone(),
            id: id.clone(),
            tool: row.tool_name,
            content: content.map_err(|error| StoreError::Other(error.into()))?,
            at: Millis(row.created_at),
        })
    }

    /// What an insert that failed means.
    fn refused(&self, error: DbErr, session: &SessionId) -> StoreError {
        if is_foreign_key(&error) {
            return StoreError::Other(format!("there is no session {session}").into());
        }
        self.failed(error)
    }
}

/// What became of a row whose content is in an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Row,
    /// There is a row of this name.
    Taken,
    /// The object is not to be had any more.
    NoObject,
}

fn size(result: &StoredResult) -> Result<i64, StoreError> {
    i64::try_from(result.content.len()).map_err(|error| StoreError::Other(error.into()))
}

fn row(result: &StoredResult, content: Vec<u8>, object: Option<&Address>) -> Result<ActiveModel, StoreError> {
    Ok(ActiveModel {
        session_id: Set(result.session.as_str().to_owned()),
        id: Set(result.id.as_str().to_owned()),
        tool_name: Set(result.tool.clone()),
        content: Set(content),
        byte_size: Set(size(result)?),
        created_at: Set(result.at.0),
        object: Set(object.map(|address| address.as_str().to_owned())),
    })
}

/// Inserts a row, unless there is one of its name.
fn insert(row: ActiveModel) -> InsertMany<ActiveModel> {
    let stays = OnConflict::columns([Column::Id, Column::SessionId]).do_nothing().to_owned();
    Entity::insert_many([row]).on_conflict(stays)
}

#[async_trait]
impl ResultRepository for SeaResultRepository {
    async fn put(&self, result: &StoredResult) -> Result<(), StoreError> {
        let name = row_name(result.session.as_str(), result.id.as_str());
        let sealed = self.database.seal(name, &result.content).await;
        let sealed = sealed.map_err(|error| StoreError::Other(error.into()))?;
        if let Some(blobs) = self.database.blobs_for(result.content.len())
            && let Some(stored) = self.put_outside(blobs, result, &sealed).await?
        {
            return Ok(stored);
        }
        let insert = insert(row(result, sealed, None)?);
        let writing = self.database.writing(&result.session).await;
        let writing = writing.map_err(|error| StoreError::Other(error.into()))?;
        match insert.exec_without_returning(&writing).await {
            Ok(1..) => return writing.done().await.map_err(|error| self.failed(error)),
            Ok(0) => drop(writing),
            Err(error) => return Err(self.refused(error, &result.session)),
        }
        match self.get(&result.session, &result.id).await? {
            Some(there) if there.content == result.content => Ok(()),
            _ => Err(StoreError::Conflict(result.id.clone())),
        }
    }

    async fn get(&self, session: &SessionId, id: &ResultRef) -> Result<Option<StoredResult>, StoreError> {
        let row =
            named(session, id).one(&self.database.connection).await.map_err(|error| self.failed(error))?;
        match row {
            Some(row) => self.read(session, id, row).await.map(Some),
            None => Ok(None),
        }
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
        let removed = removed.map_err(|error| self.failed(error))?.rows_affected > 0;
        self.database.try_to_remove_objects().await;
        Ok(removed)
    }
}
