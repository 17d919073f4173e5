//! Table `tool_result_blobs`: the exact bytes of tool results.

use sea_orm::entity::prelude::*;

/// A tool result.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tool_result_blobs")]
pub struct Model {
    /// Its session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: String,
    /// Its name within the session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// The tool that gave it.
    pub tool_name: String,
    /// The bytes, or what they are encrypted to; see `sealed`. Empty if they are in an object.
    pub content: Vec<u8>,
    /// How many bytes it has before encryption.
    pub byte_size: i64,
    /// When it was stored, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// The address of the object that has the content; see `objects`.
    pub object: Option<String>,
}

/// What it is related to.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
