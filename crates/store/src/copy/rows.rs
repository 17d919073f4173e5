//! Rows of a session, on their way into the transaction of a copy.

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait as _, DatabaseTransaction};
use throughline_conversation::SessionId;

use super::CopyError;
use super::objects::{Objects, is_known};
use super::table::{Cell, Table};
use crate::store::Store;

/// What the rows of a copy come from and go to.
pub(super) struct Rows<'a> {
    pub(super) from: &'a Store,
    pub(super) to: &'a Store,
    pub(super) session: &'a SessionId,
    pub(super) objects: &'a Objects,
    /// The results that the other database has.
    pub(super) known: &'a BTreeSet<String>,
}

impl Rows<'_> {
    /// Adds those of a table that are missing behind a key, and returns their number.
    pub(super) async fn add(
        &self,
        transaction: &DatabaseTransaction,
        table: &Table,
        mut after: Cell,
    ) -> Result<u64, CopyError> {
        let (source, target) = (self.from.database(), self.to.database());
        let mut added = 0;
        while let Some(mut rows) = table.page(source, self.session, &mut after).await? {
            rows.retain(|row| !is_known(row, self.known));
            if rows.is_empty() {
                continue;
            }
            added += rows.len() as u64;
            for row in &mut rows {
                self.objects.place(self.session, source, row).await?;
            }
            let damaged = || CopyError::Damaged { session: self.session.clone(), table: table.name };
            let insert = table.insert(transaction, rows).ok_or_else(damaged)?;
            transaction.execute_raw(insert).await.map_err(|error| target.fault(error))?;
        }
        Ok(added)
    }

    /// Takes the objects for the rows of this transaction.
    pub(super) async fn take_objects(&self, transaction: &DatabaseTransaction) -> Result<(), CopyError> {
        if self.objects.take(self.to.database(), transaction).await? {
            return Ok(());
        }
        Err(CopyError::ObjectGone { session: self.session.clone(), to: self.to.path().display().to_string() })
    }
}
