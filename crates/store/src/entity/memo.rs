//! Table `llm_memos`: one row for each memo.

use sea_orm::entity::prelude::*;

/// A memo.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "llm_memos")]
pub struct Model {
    /// Half of its rowid in the index of words.
    #[sea_orm(primary_key)]
    pub row_id: i64,
    /// Its name.
    pub id: String,
    /// What it says.
    pub content: String,
    /// Its tags, a space before, between and behind them.
    pub tags: String,
    /// The folder that it is about.
    pub workspace: Option<String>,
    /// Fingerprint of `content`.
    pub digest: i64,
    /// The session that wrote it.
    pub session_id: Option<String>,
    /// The exchange of that session.
    pub exchange: Option<i64>,
    /// When it was written, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// When it was changed last, in milliseconds since the Unix epoch.
    pub updated_at: i64,
}

/// What it is related to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
