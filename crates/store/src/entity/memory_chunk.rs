//! Table `memory_chunks`: the pieces of memory files.

use sea_orm::entity::prelude::*;

/// A piece.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "memory_chunks")]
pub struct Model {
    /// Half of its rowid in the index of words, rounded down.
    #[sea_orm(primary_key)]
    pub row_id: i64,
    /// Its file.
    pub file: i64,
    /// Line of the file that it begins in.
    pub first_line: i64,
    /// Line of the file that it ends in.
    pub last_line: i64,
    /// The text.
    pub content: String,
}

/// What it is related to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
