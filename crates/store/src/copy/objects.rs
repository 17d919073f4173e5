//! Contents of results in object stores, while their rows are copied.
//!
//! Each database has objects of its own: the copy gets new ones, where an object store is set for it.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::DatabaseTransaction;
use throughline_conversation::SessionId;

use super::CopyError;
use super::table::{Cell, Table};
use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::objects::Put;

/// The objects of a copy, by the results that they are for.
#[derive(Debug, Default)]
pub(super) struct Objects(BTreeMap<String, Put>);

impl Objects {
    /// Writes those that a copy needs. That is done before the transaction of the copy: a database file has one writer at a
    /// time, and each object is noted there.
    pub(super) async fn write(
        &mut self,
        tables: &[Table],
        session: &SessionId,
        from: &Database,
        to: &Database,
        known: &BTreeSet<String>,
    ) -> Result<(), CopyError> {
        if to.blobs.get().is_none() {
            return Ok(());
        }
        for table in tables.iter().filter(|table| table.has_objects()) {
            let mut after = table.start();
            while let Some(rows) = table.page(from, session, &mut after).await? {
                for mut row in rows {
                    if is_known(&row, known) {
                        continue;
                    }
                    let Some(blobs) = size(&row).and_then(|size| to.blobs_for(size)) else { continue };
                    bring_in(from, session, &mut row).await?;
                    let [_, Cell::Text(id), _, Cell::Bytes(content), ..] = row.as_slice() else { continue };
                    let put = to.put_object(blobs, content).await.map_err(|error| to.fault(error))?;
                    self.0.insert(id.clone(), put);
                }
            }
        }
        Ok(())
    }

    /// Puts the content of a row where the copy has it: into its object, or into the row.
    pub(super) async fn place(
        &self,
        session: &SessionId,
        from: &Database,
        row: &mut [Cell],
    ) -> Result<(), CopyError> {
        if let [_, Cell::Text(id), _, Cell::Bytes(content), .., Cell::Object(object)] = &mut *row
            && let Some(address) = self.0.get(id).and_then(Put::address)
        {
            *object = Some(address.as_str().to_owned());
            content.clear();
            return Ok(());
        }
        bring_in(from, session, row).await
    }

    /// Takes them for the rows of this transaction. `false`: one is not to be had any more.
    pub(super) async fn take(
        &self,
        to: &Database,
        transaction: &DatabaseTransaction,
    ) -> Result<bool, DatabaseError> {
        for put in self.0.values() {
            if !to.take_object(transaction, put).await.map_err(|error| to.fault(error))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes those that were written, because there is no copy.
    pub(super) async fn abandon(&self, to: &Database) {
        for put in self.0.values() {
            if let Put::New(address) = put {
                to.abandon(address).await;
            }
        }
    }
}

/// Returns true if the other database has the result of a row.
pub(super) fn is_known(row: &[Cell], known: &BTreeSet<String>) -> bool {
    matches!(row.get(1), Some(Cell::Text(id)) if known.contains(id))
}

/// Puts the content of an object into its row.
pub(super) async fn bring_in(
    database: &Database,
    session: &SessionId,
    row: &mut [Cell],
) -> Result<(), CopyError> {
    let [_, Cell::Text(id), _, Cell::Bytes(content), .., Cell::Object(object)] = row else { return Ok(()) };
    let own = std::mem::take(content);
    *content = database.content(session.as_str(), id, own, object.take()).await?;
    Ok(())
}

/// The bytes of a result before encryption.
fn size(row: &[Cell]) -> Option<usize> {
    let [_, _, _, _, Cell::Number(size), ..] = row else { return None };
    usize::try_from(*size).ok()
}
