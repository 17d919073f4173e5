//! The list of sessions in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryResult, TryGetable,
};
use throughline_continuity::{DirectoryError, SessionDirectory, SessionInfo, SessionSummary};
use throughline_conversation::{Millis, RecordBody, SessionId};

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::end::end;
use crate::entity::session::{ActiveModel, Column, Entity};
use crate::fault::is_taken;
use crate::json;
use crate::listed_session::ListedSession;
use crate::session_parents::SeaSessionParents;

/// Every session, or that of an id, with the ends of its log: a lookup in an index for each figure, whatever the log's length, but
/// for the number of receipts, which are counted in the index.
const LIST: &str = include_str!("list_sessions.sql");

/// Every session without figures, in the same order.
const NAMES: &str = "SELECT s.id, s.title, s.workspace, s.model, s.created_at, parents.parent_id AS parent FROM sessions AS s \
                     LEFT JOIN session_parents AS parents ON parents.session_id = s.id \
                     ORDER BY s.written DESC, s.created_at DESC, s.id";

/// The sessions alone.
const SESSIONS: &str =
    "SELECT id, title, workspace, model, created_at, NULL AS parent FROM sessions ORDER BY written DESC, id";

/// Stores the list of sessions.
#[derive(Debug, Clone)]
pub struct SeaSessionDirectory {
    database: Arc<Database>,
}

impl SeaSessionDirectory {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// Notes that a session works in another folder from now on. Nothing happens if there is no such session.
    ///
    /// # Errors
    /// The database failed.
    pub async fn set_workspace(&self, session: &SessionId, workspace: &str) -> Result<(), DirectoryError> {
        let moved = Entity::update_many()
            .col_expr(Column::Workspace, Expr::value(workspace))
            .filter(Column::Id.eq(session.as_str()))
            .exec(&self.database.connection)
            .await;
        moved.map(drop).map_err(|error| self.failed(error))
    }

    /// All sessions without the figures of their logs, in the order of the list.
    pub(crate) async fn names(&self) -> Result<Vec<ListedSession>, DirectoryError> {
        let connection = &self.database.connection;
        let rows = match connection.query_all_raw(statement(connection, NAMES, [])).await {
            Err(error) if DatabaseError::is_damage(&error) => {
                connection.query_all_raw(statement(connection, SESSIONS, [])).await
            }
            rows => rows,
        };
        let rows = rows.map_err(|error| self.failed(error))?;
        let listed = rows.iter().filter_map(|row| listed(row).transpose());
        listed.collect::<Result<_, _>>().map_err(|error| self.failed(error))
    }

    /// A session, or all of them, with the figures of their logs.
    async fn summaries(&self, session: Option<&SessionId>) -> Result<Vec<SessionSummary>, DbErr> {
        let connection = &self.database.connection;
        let session = session.map(|session| session.as_str().to_owned());
        let rows = connection.query_all_raw(statement(connection, LIST, [session.into()])).await?;
        rows.iter().filter_map(|row| summary(row).transpose()).collect()
    }

    /// Lists the sessions one by one. Figures of a damaged log are left out; its session is not.
    async fn list_around_damage(&self) -> Result<Vec<SessionSummary>, DirectoryError> {
        let rows =
            self.database.connection.query_all_raw(statement(&self.database.connection, SESSIONS, [])).await;
        let mut listed = Vec::new();
        for row in rows.map_err(|error| self.failed(error))? {
            let Ok(Some(info)) = info(&row) else { continue };
            let end = end(&self.database, &info.id).await.unwrap_or(0);
            listed.push(SessionSummary {
                records: end.unsigned_abs(),
                // A session with records has had an exchange.
                exchanges: u64::from(end > 0),
                requests: u64::from(end > 0),
                last_activity: info.created,
                last_tokens: None,
                parent: None,
                info,
            });
        }
        Ok(listed)
    }

    fn failed(&self, error: DbErr) -> DirectoryError {
        let fault = self.database.fault(error);
        if fault.is_unwritable() {
            DirectoryError::Full(fault.to_string())
        } else {
            DirectoryError::Other(fault.into())
        }
    }
}

fn info(row: &QueryResult) -> Result<Option<SessionInfo>, DbErr> {
    let id: String = row.try_get("", "id")?;
    let Ok(id) = SessionId::new(id) else {
        tracing::warn!("left a session out of the list: its id is damaged");
        return Ok(None);
    };
    Ok(Some(SessionInfo {
        id,
        title: row.try_get("", "title")?,
        workspace: row.try_get("", "workspace")?,
        model: row.try_get("", "model")?,
        created: Millis(row.try_get("", "created_at")?),
    }))
}

fn listed(row: &QueryResult) -> Result<Option<ListedSession>, DbErr> {
    let Some(info) = info(row)? else { return Ok(None) };
    Ok(Some(ListedSession { info, parent: parent(row)? }))
}

fn summary(row: &QueryResult) -> Result<Option<SessionSummary>, DbErr> {
    let Some(info) = info(row)? else {
        return Ok(None);
    };
    let receipt: Option<Vec<u8>> = optional(row, "receipt")?;
    let receipt = receipt.and_then(|payload| json::parse(&payload).ok());
    let last_tokens = match receipt {
        Some(RecordBody::Receipt(receipt)) => Some(receipt.window.used.total()),
        _ => None,
    };
    Ok(Some(SessionSummary {
        records: number(row, "records")?,
        exchanges: number(row, "exchanges")?,
        requests: number(row, "requests")?,
        last_activity: Millis(optional(row, "last_activity")?.unwrap_or(info.created.0)),
        last_tokens,
        parent: parent(row)?,
        info,
    }))
}

/// The session that a sub-agent's session works for.
fn parent(row: &QueryResult) -> Result<Option<SessionId>, DbErr> {
    Ok(optional::<String>(row, "parent")?.and_then(|id| SessionId::new(id).ok()))
}

fn optional<T: TryGetable>(row: &QueryResult, column: &str) -> Result<Option<T>, DbErr> {
    row.try_get("", column)
}

fn number(row: &QueryResult, column: &str) -> Result<u64, DbErr> {
    Ok(optional::<i64>(row, column)?.map_or(0, i64::unsigned_abs))
}

#[async_trait]
impl SessionDirectory for SeaSessionDirectory {
    async fn create(&self, session: &SessionInfo) -> Result<(), DirectoryError> {
        let shown = |text| self.database.dialect().text_without_nul(text);
        let new = ActiveModel {
            id: Set(session.id.as_str().to_owned()),
            title: Set(shown(&session.title)),
            workspace: Set(session.workspace.clone()),
            model: Set(shown(&session.model)),
            created_at: Set(session.created.0),
        };
        match Entity::insert(new).exec_without_returning(&self.database.connection).await {
            Ok(_) => Ok(()),
            Err(error) if is_taken(&error) => Err(DirectoryError::Exists(session.id.clone())),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn get(&self, session: &SessionId) -> Result<Option<SessionInfo>, DirectoryError> {
        let row = Entity::find_by_id(session.as_str()).one(&self.database.connection).await;
        let row = row.map_err(|error| self.failed(error))?;
        Ok(row.map(|row| SessionInfo {
            id: session.clone(),
            title: row.title,
            workspace: row.workspace,
            model: row.model,
            created: Millis(row.created_at),
        }))
    }

    async fn summary(&self, session: &SessionId) -> Result<Option<SessionSummary>, DirectoryError> {
        match self.summaries(Some(session)).await {
            Err(error) if DatabaseError::is_damage(&error) => {
                let all = self.list_around_damage().await?;
                Ok(all.into_iter().find(|one| one.info.id == *session))
            }
            found => Ok(found.map_err(|error| self.failed(error))?.pop()),
        }
    }

    async fn list(&self) -> Result<Vec<SessionSummary>, DirectoryError> {
        match self.summaries(None).await {
            Err(error) if DatabaseError::is_damage(&error) => self.list_around_damage().await,
            summaries => summaries.map_err(|error| self.failed(error)),
        }
    }

    async fn remove(&self, session: &SessionId) -> Result<bool, DirectoryError> {
        // What sub-agents did for the session goes with it.
        let parents = SeaSessionParents::new(Arc::clone(&self.database));
        let of_agents =
            parents.descendants(session).await.map_err(|error| DirectoryError::Other(error.into()))?;
        let mut removed = false;
        for session in of_agents.iter().chain([session]) {
            self.database.shrink_session(session).await.map_err(|error| self.failed(error))?;
            let deleted = Entity::delete_by_id(session.as_str()).exec(&self.database.connection).await;
            removed = deleted.map_err(|error| self.failed(error))?.rows_affected > 0;
        }
        self.database.try_to_remove_objects().await;
        Ok(removed)
    }

    async fn rename(&self, session: &SessionId, title: &str) -> Result<bool, DirectoryError> {
        let renamed = Entity::update_many()
            .col_expr(Column::Title, Expr::value(self.database.dialect().text_without_nul(title)))
            .filter(Column::Id.eq(session.as_str()))
            .exec(&self.database.connection)
            .await;
        renamed.map(|renamed| renamed.rows_affected > 0).map_err(|error| self.failed(error))
    }
}
