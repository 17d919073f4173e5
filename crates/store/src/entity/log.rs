//! Table `log`: one row for each record.

use sea_orm::entity::prelude::*;

/// A record.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log")]
pub struct Model {
    /// Its session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: String,
    /// Its place, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    /// What it is, for example `message`.
    pub kind: String,
    /// The exchange that it belongs to.
    pub exchange: i64,
    /// When it was made, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Fingerprint of `payload`.
    pub digest: i64,
    /// Its body as JSON. Read as bytes, so that a damaged text is noticed here and not in the driver.
    pub payload: Vec<u8>,
}

/// What it is related to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
