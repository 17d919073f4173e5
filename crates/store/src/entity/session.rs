//! Table `sessions`: one row for each session. Every other table refers to it, and goes with it.

use sea_orm::entity::prelude::*;

/// A session.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub struct Model {
    /// Its name.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Its title.
    pub title: String,
    /// The folder that it works in.
    pub workspace: String,
    /// The model that it began with.
    pub model: String,
    /// When it began, in milliseconds since the Unix epoch.
    pub created_at: i64,
}

/// What it is related to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
