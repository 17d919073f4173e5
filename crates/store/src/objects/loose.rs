//! Objects that no row has: those that are being written, and those to be removed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbErr, Value};
use throughline_resultstore::BlobStore;

use super::address::Address;
use crate::database::Database;
use crate::dialect::statement;
use crate::object_error::ObjectError;

const NOTE: &str =
    "INSERT INTO loose_objects (address, since, removing) VALUES (?, ?, 0) ON CONFLICT DO NOTHING";
const TAKE: &str = "DELETE FROM loose_objects WHERE address = ? AND removing = 0";
/// A time below zero: the object may never have been written.
const GIVE_UP: &str =
    "UPDATE loose_objects SET removing = 1, since = -since WHERE address = ? AND removing = 0";
const REMOVABLE: &str =
    "SELECT address, since FROM loose_objects WHERE removing = 1 OR since < ? ORDER BY since, address";
/// No row has it, and none can get it any more: a row gets it from another one only. A note that has changed since it was read
/// is left to the next call.
const CLAIM: &str = "UPDATE loose_objects SET removing = 1 WHERE address = ?1 AND since = ?2 \
                     AND NOT EXISTS (SELECT 1 FROM tool_result_blobs WHERE object = ?1)";
/// Another row has it after all.
const IN_USE: &str = "DELETE FROM loose_objects WHERE address = ?1 AND since = ?2 \
                      AND EXISTS (SELECT 1 FROM tool_result_blobs WHERE object = ?1)";
const REMOVED: &str = "DELETE FROM loose_objects WHERE address = ? AND since = ?";

/// How long an object may be written. After that its writer has ended.
const WRITING: Duration = Duration::from_secs(24 * 3600);

fn micros(age: Duration) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.saturating_sub(age).as_micros()).unwrap_or(i64::MAX)
}

/// An object that is to be removed.
struct Loose {
    address: Address,
    /// Microseconds since 1970; below zero: writing it failed, so it is not known to exist.
    since: i64,
}

impl Database {
    /// Notes that an object is being written.
    pub(super) async fn note_written(&self, address: &Address) -> Result<(), DbErr> {
        let values: [Value; 2] = [address.as_str().into(), micros(Duration::ZERO).into()];
        self.connection.execute_raw(statement(&self.connection, NOTE, values)).await.map(drop)
    }

    /// Takes the note away, because a row of this transaction has the object. `false`: it is being removed.
    pub(super) async fn take_written(
        transaction: &DatabaseTransaction,
        address: &Address,
    ) -> Result<bool, DbErr> {
        let take = statement(transaction, TAKE, [address.as_str().into()]);
        Ok(transaction.execute_raw(take).await?.rows_affected() > 0)
    }

    /// Removes an object that was written and that no row got.
    pub(crate) async fn abandon(&self, address: &Address) {
        let give_up = statement(&self.connection, GIVE_UP, [address.as_str().into()]);
        if let Err(error) = self.connection.execute_raw(give_up).await {
            tracing::warn!(%address, error = %self.fault(error), "an object that is not used is left for a day");
            return;
        }
        self.try_to_remove_objects().await;
    }

    /// The same. What is left is tried again later.
    pub(crate) async fn try_to_remove_objects(&self) {
        if let Err(error) = self.remove_loose_objects().await {
            tracing::warn!(%error, "an object that is not used is left");
        }
    }

    /// Removes the objects that no result has. One that may never have been written, because writing it failed, is no error while its
    /// place fails: the next call tries again.
    pub(crate) async fn remove_loose_objects(&self) -> Result<(), ObjectError> {
        let left = |address: &str, why: String| ObjectError::Left { address: address.to_owned(), why };
        let mut first = None;
        for loose in self.removable().await.map_err(|error| left("", self.shown(error)))? {
            match self.remove_loose(&loose.address, loose.since).await {
                Ok(()) => {}
                Err(why) if loose.since >= 0 => {
                    first.get_or_insert(left(loose.address.as_str(), why));
                }
                Err(why) => {
                    tracing::warn!(address = %loose.address, why, "an object whose writing failed is not removed");
                }
            }
        }
        first.map_or(Ok(()), Err)
    }

    async fn removable(&self) -> Result<Vec<Loose>, DbErr> {
        let find = statement(&self.connection, REMOVABLE, [micros(WRITING).into()]);
        let rows = self.connection.query_all_raw(find).await?;
        let read = |row: sea_orm::QueryResult| {
            Ok(Loose { address: Address::stored(row.try_get_by_index(0)?), since: row.try_get_by_index(1)? })
        };
        rows.into_iter().map(read).collect()
    }

    /// Removes an object, unless a row has it. The error says why it is left.
    async fn remove_loose(&self, address: &Address, since: i64) -> Result<(), String> {
        let shown = |error: DbErr| self.shown(error);
        let named: [Value; 2] = [address.as_str().into(), since.into()];
        let claim = statement(&self.connection, CLAIM, named.clone());
        if self.connection.execute_raw(claim).await.map_err(shown)?.rows_affected() == 0 {
            let in_use = statement(&self.connection, IN_USE, named);
            return self.connection.execute_raw(in_use).await.map(drop).map_err(shown);
        }
        let Some(blobs) = self.blobs.get() else {
            return Err("no object store is set: set storage.blobs".to_owned());
        };
        remove(blobs.store.as_ref(), address).await?;
        self.connection
            .execute_raw(statement(&self.connection, REMOVED, named))
            .await
            .map(drop)
            .map_err(shown)
    }

    fn shown(&self, error: DbErr) -> String {
        throughline_text::error_chain(&self.fault(error))
    }
}

/// Removes an object from the place that is set. One of another place must have been moved there.
async fn remove(store: &dyn BlobStore, address: &Address) -> Result<(), String> {
    let shown = |error: throughline_resultstore::BlobError| error.to_string();
    let place = store.place();
    let is_of_place = address.as_str().strip_suffix(address.key()) == Some(&format!("{place}/"));
    if !is_of_place && store.size(address.key()).await.map_err(shown)?.is_none() {
        return Err(format!("it is not in {place}: set storage.blobs to the place that has it"));
    }
    store.remove(address.key()).await.map_err(shown)
}
