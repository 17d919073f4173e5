//! Table `session_contexts`: at most one row for each record of a session's log.

use sea_orm::entity::prelude::*;

/// A context.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session_contexts")]
pub struct Model {
    /// Its session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: String,
    /// The last record that it covers.
    #[sea_orm(primary_key, auto_increment = false)]
    pub covers: i64,
    /// What it was made for, for example `compaction`.
    pub source: String,
    /// The agent that it was made for.
    pub worker: String,
    /// The context as JSON, or encrypted; see `sealed`.
    pub context: String,
    /// When it was made, in milliseconds since the Unix epoch.
    pub created_at: i64,
}

/// What it is related to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
