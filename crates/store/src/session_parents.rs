//! Which session a sub-agent works for.

use std::collections::VecDeque;
use std::sync::Arc;

use sea_orm::{ConnectionTrait as _, DbErr, Value};
use throughline_conversation::SessionId;

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::session_parent::SessionParent;

/// Stores the parents of sessions. A link goes with its session.
#[derive(Debug, Clone)]
pub struct SeaSessionParents {
    database: Arc<Database>,
}

impl SeaSessionParents {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// Makes a session one of a sub-agent.
    ///
    /// # Errors
    /// There is no such session, or the database failed.
    pub async fn add(&self, link: &SessionParent) -> Result<(), DatabaseError> {
        const ADD: &str =
            "INSERT INTO session_parents (session_id, parent_id, kind, call_id) VALUES (?, ?, ?, ?)";
        let connection = &self.database.connection;
        let SessionParent { session, parent, kind, call } = link;
        let values: [Value; 4] = [session.as_str().into(), parent.as_str().into(), kind.into(), call.into()];
        let added = connection.execute_raw(statement(connection, ADD, values)).await;
        added.map(drop).map_err(|error| self.failed(error))
    }

    /// The sub-agents of a session, the one that began first first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(&self, parent: &SessionId) -> Result<Vec<SessionParent>, DatabaseError> {
        const OF: &str = "SELECT p.session_id, p.kind, p.call_id FROM session_parents AS p \
                          JOIN sessions AS s ON s.id = p.session_id WHERE p.parent_id = ? ORDER BY s.created_at, s.id";
        let connection = &self.database.connection;
        let rows = connection.query_all_raw(statement(connection, OF, [parent.as_str().into()])).await;
        let mut found = Vec::new();
        for row in rows.map_err(|error| self.failed(error))? {
            let text = |index| row.try_get_by_index::<String>(index).map_err(|error| self.failed(error));
            let Ok(session) = SessionId::new(text(0)?) else { continue };
            found.push(SessionParent { session, parent: parent.clone(), kind: text(1)?, call: text(2)? });
        }
        Ok(found)
    }

    /// The sub-agents of a session and theirs, each before the one that it works for.
    ///
    /// # Errors
    /// The database failed.
    pub async fn descendants(&self, session: &SessionId) -> Result<Vec<SessionId>, DatabaseError> {
        let (mut waiting, mut found) = (VecDeque::from([session.clone()]), Vec::new());
        while let Some(parent) = waiting.pop_front() {
            for link in self.of(&parent).await? {
                if link.session != *session && !found.contains(&link.session) {
                    waiting.push_back(link.session.clone());
                    found.push(link.session);
                }
            }
        }
        found.reverse();
        Ok(found)
    }

    fn failed(&self, error: DbErr) -> DatabaseError {
        self.database.fault(error)
    }
}
