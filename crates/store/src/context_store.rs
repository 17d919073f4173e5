//! Session contexts in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};
use throughline_continuity::{ContextError, ContextSource, ContextStore, StoredContext};
use throughline_conversation::{Millis, Seq, SessionId};

use crate::database::Database;
use crate::encryption_error::EncryptionError;
use crate::entity::context::{ActiveModel, Column, Entity, Model};
use crate::fault::is_foreign_key;
use crate::sealed::RowName;

/// Stores the contexts of each session.
#[derive(Debug, Clone)]
pub struct SeaContextStore {
    database: Arc<Database>,
}

impl SeaContextStore {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    async fn seal(&self, context: &StoredContext, covers: i64) -> Result<String, EncryptionError> {
        let name = covers.to_string();
        self.database.seal_text(row_name(&context.session, &name), context.context.clone()).await
    }

    fn unseal(&self, session: &SessionId, row: &mut Model) -> Result<String, ContextError> {
        let (name, text) = (row.covers.to_string(), std::mem::take(&mut row.context));
        let text = self.database.unseal_text(row_name(session, &name), text.into_bytes());
        let text = text.map_err(|error| ContextError::Other(error.into()))?;
        String::from_utf8(text).map_err(|error| ContextError::Other(error.into()))
    }

    fn failed(&self, error: DbErr) -> ContextError {
        ContextError::Other(self.database.fault(error).into())
    }
}

fn row_name<'a>(session: &'a SessionId, covers: &'a str) -> RowName<'a> {
    RowName { table: "session_contexts", session: session.as_str(), name: covers }
}

/// Takes the decrypted text of a row.
fn stored(session: &SessionId, row: Model, context: String) -> Result<StoredContext, ContextError> {
    let source = ContextSource::ALL.into_iter().find(|source| source.name() == row.source);
    let unknown = || format!("a context of session {session} has the unknown source {:?}", row.source);
    Ok(StoredContext {
        session: session.clone(),
        covers: Seq(row.covers.unsigned_abs()),
        source: source.ok_or_else(|| ContextError::Other(unknown().into()))?,
        worker: row.worker,
        at: Millis(row.created_at),
        context,
    })
}

#[async_trait]
impl ContextStore for SeaContextStore {
    async fn save(&self, context: &StoredContext) -> Result<(), ContextError> {
        let covers = i64::try_from(context.covers.0).map_err(|error| ContextError::Other(error.into()))?;
        let sealed = self.seal(context, covers).await.map_err(|error| ContextError::Other(error.into()))?;
        let new = ActiveModel {
            session_id: Set(context.session.as_str().to_owned()),
            covers: Set(covers),
            source: Set(context.source.name().to_owned()),
            worker: Set(self.database.dialect().text_without_nul(&context.worker)),
            context: Set(sealed),
            created_at: Set(context.at.0),
        };
        let columns = [Column::Source, Column::Worker, Column::Context, Column::CreatedAt];
        let replaces =
            OnConflict::columns([Column::SessionId, Column::Covers]).update_columns(columns).to_owned();
        let insert = Entity::insert(new).on_conflict(replaces);
        let writing = self.database.writing(&context.session).await;
        let writing = writing.map_err(|error| ContextError::Other(error.into()))?;
        match insert.exec_without_returning(&writing).await {
            Ok(_) => writing.done().await.map_err(|error| self.failed(error)),
            Err(error) if is_foreign_key(&error) => Err(ContextError::NoSession(context.session.clone())),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn list(&self, session: &SessionId) -> Result<Vec<StoredContext>, ContextError> {
        let own = Entity::find().filter(Column::SessionId.eq(session.as_str())).order_by_asc(Column::Covers);
        let rows = own.all(&self.database.connection).await.map_err(|error| self.failed(error))?;
        let read = |mut row: Model| {
            let context = self.unseal(session, &mut row)?;
            stored(session, row, context)
        };
        rows.into_iter().map(read).collect()
    }

    async fn remove(&self, session: &SessionId) -> Result<(), ContextError> {
        let own = Entity::delete_many().filter(Column::SessionId.eq(session.as_str()));
        own.exec(&self.database.connection).await.map(drop).map_err(|error| self.failed(error))
    }
}
