//! Table `session_snapshots`: at most one row for each session.

use sea_orm::entity::prelude::*;

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session_snapshots")]
pub struct Model {
    /// Its session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: String,
    /// The last record that it covers.
    pub covers: i64,
    /// How many edits its view had.
    pub epoch: i64,
    /// The view's entries as JSON, or encrypted; see `sealed`. Read as bytes, so that a damaged text is noticed here and not in the driver.
    pub messages: Vec<u8>,
    /// Tokens of the entries.
    pub token_count: i64,
    /// Fingerprint of all the other columns.
    pub digest: i64,
    /// When it was taken, in milliseconds since the Unix epoch.
    pub created_at: i64,
}

/// What it is related to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
