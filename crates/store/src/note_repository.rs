//! Memos in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::sea_query::{Expr, ExprTrait, Func};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait,
    QueryFilter, QueryOrder, QuerySelect,
};
use throughline_conversation::{ExchangeId, Millis, SessionId};
use throughline_memory::{
    Memo, MemoDraft, MemoFilter, MemoId, NoteError, NoteRepository, Removal, Saved, Scope, merged_tags,
};
use throughline_text::fingerprint;

use crate::database::Database;
use crate::dialect::{Dialect, statement};
use crate::entity::memo::{ActiveModel, Column, Entity, Model};
use crate::memory_words::{self, Entry};

/// Keeps memos.
#[derive(Debug, Clone)]
pub struct SeaNoteRepository {
    database: Arc<Database>,
}

impl SeaNoteRepository {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    fn failed(&self, error: DbErr) -> NoteError {
        memory_words::failed(&self.database, error)
    }

    async fn save_in(&self, transaction: &DatabaseTransaction, draft: &MemoDraft) -> Result<Saved, DbErr> {
        let workspace = draft.origin.workspace.as_deref();
        if let Some(row) = saying(transaction, workspace, &draft.content).await? {
            let had = tags_of(&row);
            let tags = merged_tags(&had, &draft.tags);
            if tags == had {
                return Ok(Saved { memo: memo(row), new: false });
            }
            let row = Model { tags: written(&tags), updated_at: draft.at.0, ..row };
            change(transaction, &row).await?;
            return Ok(Saved { memo: memo(row), new: false });
        }
        let new = draft.named(free_name(transaction, draft).await?);
        let row = ActiveModel {
            id: Set(new.id.as_str().to_owned()),
            content: Set(new.content.clone()),
            tags: Set(written(&new.tags)),
            workspace: Set(new.workspace.clone()),
            digest: Set(digest(&new.content)),
            session_id: Set(new.session.as_ref().map(|session| session.as_str().to_owned())),
            exchange: Set(new.exchange.map(|exchange| exchange.0.cast_signed())),
            created_at: Set(new.created.0),
            updated_at: Set(new.updated.0),
            ..ActiveModel::default()
        };
        let number = Entity::insert(row).exec(transaction).await?.last_insert_id;
        memory_words::add(transaction, Entry::Memo(number), &new.content, &new.tags).await?;
        Ok(Saved { memo: new, new: true })
    }

    async fn update_in(
        &self,
        transaction: &DatabaseTransaction,
        id: &MemoId,
        draft: &MemoDraft,
    ) -> Result<Result<Memo, NoteError>, DbErr> {
        let Some(row) = Entity::find().filter(Column::Id.eq(id.as_str())).one(transaction).await? else {
            return Ok(Err(NoteError::Unknown(id.clone())));
        };
        let same = saying(transaction, row.workspace.as_deref(), &draft.content).await?;
        if let Some(other) = same.filter(|other| other.row_id != row.row_id) {
            return Ok(Err(NoteError::Taken(MemoId::from_text(&other.id))));
        }
        let (content, tags) = (draft.content.clone(), written(&draft.tags));
        let row = Model { digest: digest(&content), content, tags, updated_at: draft.at.0, ..row };
        change(transaction, &row).await?;
        Ok(Ok(memo(row)))
    }
}

/// The memo of a workspace that says this.
async fn saying(
    connection: &impl ConnectionTrait,
    workspace: Option<&str>,
    content: &str,
) -> Result<Option<Model>, DbErr> {
    let rows = Entity::find().filter(Column::Digest.eq(digest(content))).all(connection).await?;
    Ok(rows.into_iter().find(|row| row.content == content && row.workspace.as_deref() == workspace))
}

async fn free_name(connection: &impl ConnectionTrait, draft: &MemoDraft) -> Result<MemoId, DbErr> {
    for id in draft.names() {
        let taken = statement(connection, "SELECT 1 FROM llm_memos WHERE id = ?", [id.as_str().into()]);
        if connection.query_one_raw(taken).await?.is_none() {
            return Ok(id);
        }
    }
    Err(DbErr::Custom("no name is free".to_owned()))
}

/// Writes what may change of a memo, and its words.
async fn change(connection: &impl ConnectionTrait, row: &Model) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Content, Expr::value(row.content.as_str()))
        .col_expr(Column::Tags, Expr::value(row.tags.as_str()))
        .col_expr(Column::Digest, Expr::value(row.digest))
        .col_expr(Column::UpdatedAt, Expr::value(row.updated_at))
        .filter(Column::RowId.eq(row.row_id))
        .exec(connection)
        .await?;
    memory_words::replace(connection, Entry::Memo(row.row_id), &row.content, &tags_of(row)).await
}

pub(crate) fn digest(content: &str) -> i64 {
    fingerprint(content.as_bytes()).cast_signed()
}

/// Tags in their stored form: each has a space on both sides, so that a whole one can be looked for.
fn written(tags: &[String]) -> String {
    if tags.is_empty() { String::new() } else { format!(" {} ", tags.join(" ")) }
}

fn tags_of(row: &Model) -> Vec<String> {
    row.tags.split_whitespace().map(str::to_owned).collect()
}

/// A row as the memo that it is. A session's name that is damaged is left out; the memo outlives its session.
pub(crate) fn memo(row: Model) -> Memo {
    Memo {
        id: MemoId::from_text(&row.id),
        tags: tags_of(&row),
        content: row.content,
        workspace: row.workspace,
        session: row.session_id.and_then(|session| SessionId::new(session).ok()),
        exchange: row.exchange.map(|exchange| ExchangeId(exchange.cast_unsigned())),
        created: Millis(row.created_at),
        updated: Millis(row.updated_at),
    }
}

fn passing(filter: &MemoFilter, dialect: Dialect) -> Condition {
    let mut passing = Condition::all();
    if let Scope::Project { root, folder } = &filter.scope {
        let mine = Column::Workspace.is_null().or(Column::Workspace.is_in([root.as_str(), folder.as_str()]));
        passing = passing.add(mine);
    }
    if let Some(id) = &filter.id {
        passing = passing.add(Column::Id.eq(id.as_str()));
    }
    if !filter.tags.is_empty() {
        // Tags have no white space in them; a text that has some is no tag, and not two of them either.
        let one = |tag: &String| match tag.contains(char::is_whitespace) {
            true => Expr::value(false),
            false => {
                let position = Func::cust(dialect.position()).arg(Expr::col(Column::Tags));
                Expr::expr(position.arg(format!(" {tag} "))).gt(0)
            }
        };
        passing = passing.add(filter.tags.iter().map(one).fold(Condition::any(), Condition::add));
    }
    passing
}

fn doomed(removal: &Removal) -> Condition {
    match removal {
        Removal::Memo(id) => Condition::all().add(Column::Id.eq(id.as_str())),
        Removal::Exchange(session, exchange) => Condition::all()
            .add(Column::SessionId.eq(session.as_str()))
            .add(Column::Exchange.eq(exchange.0.cast_signed())),
        Removal::Session(session) => Condition::all().add(Column::SessionId.eq(session.as_str())),
    }
}

#[async_trait]
impl NoteRepository for SeaNoteRepository {
    async fn save(&self, draft: &MemoDraft) -> Result<Saved, NoteError> {
        let save = || async {
            let transaction = self.database.begin().await?;
            let saved = self.save_in(&transaction, draft).await?;
            transaction.commit().await?;
            Ok(saved)
        };
        self.database.connection.repeat(save).await.map_err(|error| self.failed(error))
    }

    async fn update(&self, id: &MemoId, draft: &MemoDraft) -> Result<Memo, NoteError> {
        let update = || async {
            let transaction = self.database.begin().await?;
            let updated = self.update_in(&transaction, id, draft).await?;
            if updated.is_ok() {
                transaction.commit().await?;
            }
            Ok(updated)
        };
        self.database.connection.repeat(update).await.map_err(|error| self.failed(error))?
    }

    async fn list(&self, filter: &MemoFilter) -> Result<Vec<Memo>, NoteError> {
        let rows = Entity::find()
            .filter(passing(filter, self.database.dialect()))
            .order_by_desc(Column::UpdatedAt)
            .order_by_asc(Column::Id)
            .limit(memory_words::limit(filter.limit).unsigned_abs())
            .all(&self.database.connection)
            .await;
        Ok(rows.map_err(|error| self.failed(error))?.into_iter().map(memo).collect())
    }

    async fn remove(&self, removal: &Removal) -> Result<Vec<MemoId>, NoteError> {
        let remove = || async {
            let transaction = self.database.begin().await?;
            let rows =
                Entity::find().filter(doomed(removal)).order_by_asc(Column::Id).all(&transaction).await?;
            // The trigger takes their words out of the index.
            Entity::delete_many().filter(doomed(removal)).exec(&transaction).await?;
            transaction.commit().await?;
            Ok(rows.into_iter().map(|row| MemoId::from_text(&row.id)).collect())
        };
        self.database.connection.repeat(remove).await.map_err(|error| self.failed(error))
    }
}
