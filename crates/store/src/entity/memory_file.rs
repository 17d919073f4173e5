//! Table `memory_files`: the memory files that are indexed.

use sea_orm::entity::prelude::*;

/// A memory file.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "memory_files")]
pub struct Model {
    /// Its number.
    #[sea_orm(primary_key)]
    pub row_id: i64,
    /// Its full path.
    pub path: String,
    /// The name that it is cited by.
    pub name: String,
    /// The workspace that it belongs to.
    pub workspace: Option<String>,
    /// Tells contents apart.
    pub stamp: String,
}

/// What it is related to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
