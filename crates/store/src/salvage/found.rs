//! Recognizes rows of this program's tables by their columns, wherever they are found.
//!
//! The trees above the rows may be damaged, so nothing says which table a row is of. A record, a snapshot and a memo prove
//! themselves by their digests.

use super::cells::Tree;
use super::value::Value;
use crate::encryption_key::KeyId;
use crate::entity::{log, snapshot};
use crate::note_repository;
use crate::row::record;
use crate::sealed::plain_length;
use crate::snapshot_store;

/// A row of a known table.
#[derive(Debug)]
pub(super) enum Found {
    /// A sound record.
    Record(log::Model),
    /// A damaged record, or an entry for one in the index: there was a record in this place.
    Place(String, i64),
    Session(SessionRow),
    Result(ResultRow),
    Snapshot(snapshot::Model),
    Memo(MemoRow),
    /// The key that values are encrypted with.
    Key(KeyId),
}

#[derive(Debug)]
pub(super) struct SessionRow {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) workspace: String,
    pub(super) model: String,
    pub(super) created_at: i64,
    /// The end of its log, if that is known.
    pub(super) end: Option<i64>,
}

#[derive(Debug)]
pub(super) struct ResultRow {
    pub(super) id: String,
    pub(super) session: String,
    pub(super) tool: String,
    /// As stored, which may be encrypted.
    pub(super) content: Vec<u8>,
    /// Bytes before encryption.
    pub(super) size: i64,
    pub(super) created_at: i64,
    /// The address of the object that has the content.
    pub(super) object: Option<String>,
}

#[derive(Debug)]
pub(super) struct MemoRow {
    pub(super) content: String,
    pub(super) tags: Vec<String>,
    pub(super) workspace: Option<String>,
    pub(super) session: Option<String>,
    pub(super) exchange: Option<i64>,
    pub(super) created_at: i64,
}

/// Recognizes a row. `None`: it belongs to no table of this program, or is too damaged.
pub(super) fn recognize(tree: Tree, row: &[Value]) -> Option<Found> {
    match (tree, row) {
        // The index of kinds, of a log without row numbers and of one with them, and the index of the key.
        (
            Tree::Index,
            [session, Value::Text(_), seq]
            | [session, Value::Text(_), seq, Value::Number(_)]
            | [session, seq, Value::Number(_)],
        ) => Some(Found::Place(session.text()?.to_owned(), seq.number()?)),
        (Tree::Index, [id, title, workspace, model, created_at, rest @ ..])
            if matches!(rest.len(), 0 | 3) =>
        {
            session_row([id, title, workspace, model], created_at, rest)
        }
        // Of a log without row numbers, and of one with them.
        (Tree::Index, [session, seq, kind, exchange, at, digest, payload])
        | (
            Tree::Table,
            [session, seq @ Value::Number(_), kind @ Value::Text(_), exchange, at, digest, payload],
        ) => log_row(session, seq, kind, [exchange, at, digest], payload),
        (Tree::Table, [id, session, tool, content, size, created_at]) => {
            result_row([id, session, tool], content, [size, created_at], None)
        }
        (Tree::Table, [id, session, tool, content, size, created_at, Value::Null]) => {
            result_row([id, session, tool], content, [size, created_at], None)
        }
        (Tree::Table, [id, session, tool, content, size, created_at, Value::Text(object)]) => {
            result_row([id, session, tool], content, [size, created_at], Some(object))
        }
        (Tree::Table, [session, covers, epoch, messages, tokens, digest, created_at]) => {
            let row = snapshot::Model {
                session_id: session.text()?.to_owned(),
                covers: covers.number()?,
                epoch: epoch.number()?,
                messages: messages.bytes()?.to_vec(),
                token_count: tokens.number()?,
                digest: digest.number()?,
                created_at: created_at.number()?,
            };
            snapshot_store::is_intact(&row).then_some(Found::Snapshot(row))
        }
        (Tree::Table, [_, _, content, tags, workspace, digest, session, exchange, at, _]) => {
            let row = MemoRow {
                content: content.text()?.to_owned(),
                tags: tags.text()?.split_whitespace().map(str::to_owned).collect(),
                workspace: workspace.text().map(str::to_owned),
                session: session.text().map(str::to_owned),
                exchange: exchange.number(),
                created_at: at.number()?,
            };
            (digest.number() == Some(note_repository::digest(&row.content))).then_some(Found::Memo(row))
        }
        (Tree::Table, [Value::Null, key]) => KeyId::from_text(key.text()?).map(Found::Key),
        _ => None,
    }
}

fn session_row(texts: [&Value; 4], created_at: &Value, rest: &[Value]) -> Option<Found> {
    let [id, title, workspace, model] = texts.map(Value::text);
    let end = match rest {
        [end, check, _] => end.number().filter(|end| check.number() == Some(-end)),
        _ => None,
    };
    Some(Found::Session(SessionRow {
        id: id?.to_owned(),
        title: title?.to_owned(),
        workspace: workspace?.to_owned(),
        model: model?.to_owned(),
        created_at: created_at.number()?,
        end,
    }))
}

fn result_row(
    [id, session, tool]: [&Value; 3],
    content: &Value,
    [size, created_at]: [&Value; 2],
    object: Option<&String>,
) -> Option<Found> {
    let content = content.bytes()?.to_vec();
    let length = match object {
        Some(_) => size.number().filter(|_| content.is_empty())?,
        None => i64::try_from(plain_length(&content)?).ok()?,
    };
    (size.number() == Some(length)).then_some(())?;
    Some(Found::Result(ResultRow {
        id: id.text()?.to_owned(),
        session: session.text()?.to_owned(),
        tool: tool.text()?.to_owned(),
        content,
        size: length,
        created_at: created_at.number()?,
        object: object.cloned(),
    }))
}

fn log_row(
    session: &Value,
    seq: &Value,
    kind: &Value,
    [exchange, at, digest]: [&Value; 3],
    payload: &Value,
) -> Option<Found> {
    let (session, seq) = (session.text()?.to_owned(), seq.number()?);
    let whole = || {
        let row = log::Model {
            session_id: session.clone(),
            seq,
            kind: kind.text()?.to_owned(),
            exchange: exchange.number()?,
            at: at.number()?,
            digest: digest.number()?,
            payload: payload.bytes()?.to_vec(),
        };
        record(&row).is_ok().then_some(row)
    };
    match whole() {
        Some(row) => Some(Found::Record(row)),
        None => Some(Found::Place(session, seq)),
    }
}
