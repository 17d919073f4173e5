//! Writing the content of a new row into an object.

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbErr, Value};
use throughline_conversation::SessionId;
use throughline_resultstore::BlobError;

use super::address::Address;
use crate::blobs::Blobs;
use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::{Dialect, statement};

/// Objects of the same bytes that rows have.
const EQUAL: &str =
    "SELECT object FROM tool_result_blobs WHERE object > ?1 AND object < ?2 ORDER BY object LIMIT 1";
const USED: &str = "SELECT 1 FROM tool_result_blobs WHERE object = ? LIMIT 1";

/// An object for a row.
#[derive(Debug)]
pub(crate) enum Put {
    /// It was written for this row, and is noted as loose.
    New(Address),
    /// Another row has it.
    Shared(Address),
    /// The object store failed: the content belongs into the row.
    Away,
}

impl Database {
    /// Writes an object with these bytes, or finds one that another row has.
    ///
    /// # Errors
    /// The database failed, or the system gives no random bytes.
    pub(crate) async fn put_object(&self, blobs: &Blobs, bytes: &[u8]) -> Result<Put, DbErr> {
        match self.equal_object(blobs, bytes).await? {
            Ok(Some(address)) => return Ok(Put::Shared(address)),
            Ok(None) => {}
            Err(error) => return Ok(away(blobs, &error)),
        }
        let Some(address) = Address::new(blobs.store.place(), bytes) else {
            return Err(DbErr::Custom(
                "the system gives no random bytes for the name of an object".to_owned(),
            ));
        };
        self.note_written(&address).await?;
        match blobs.store.put(address.key(), bytes.to_vec()).await {
            Ok(()) => Ok(Put::New(address)),
            Err(error) => {
                // It may have been written all the same: the note says that it is to be removed.
                self.abandon(&address).await;
                Ok(away(blobs, &error))
            }
        }
    }

    /// An object with these bytes that a row has and that is whole.
    async fn equal_object(
        &self,
        blobs: &Blobs,
        bytes: &[u8],
    ) -> Result<Result<Option<Address>, BlobError>, DbErr> {
        let beginning = Address::beginning(blobs.store.place(), bytes);
        // The sign after `-`.
        let end = format!("{}.", beginning.trim_end_matches('-'));
        let find = statement(&self.connection, EQUAL, [beginning.into(), end.into()]);
        let Some(row) = self.connection.query_one_raw(find).await? else { return Ok(Ok(None)) };
        let address = Address::stored(row.try_get_by_index(0)?);
        let size = blobs.store.size(address.key()).await;
        Ok(size.map(|size| (size == Some(bytes.len() as u64)).then_some(address)))
    }

    /// Lets a row that this transaction writes have an object. `false`: it is not to be had any more.
    pub(crate) async fn take_object(
        &self,
        transaction: &DatabaseTransaction,
        put: &Put,
    ) -> Result<bool, DbErr> {
        match put {
            Put::New(address) => Self::take_written(transaction, address).await,
            Put::Shared(address) => {
                let lock = match self.dialect() {
                    // There is no other writer.
                    Dialect::Sqlite => "",
                    Dialect::Postgres => " FOR KEY SHARE",
                };
                let values: [Value; 1] = [address.as_str().into()];
                let used = statement(transaction, format!("{USED}{lock}"), values);
                Ok(transaction.query_one_raw(used).await?.is_some())
            }
            Put::Away => Ok(true),
        }
    }

    /// Begins a transaction that writes rows of a session.
    pub(crate) async fn begin_for(&self, session: &SessionId) -> Result<DatabaseTransaction, DatabaseError> {
        let transaction = self.begin().await.map_err(|error| self.fault(error))?;
        self.hold(&transaction, session).await?;
        Ok(transaction)
    }
}

impl Put {
    /// The address, for the row.
    pub(crate) fn address(&self) -> Option<&Address> {
        match self {
            Self::New(address) | Self::Shared(address) => Some(address),
            Self::Away => None,
        }
    }
}

fn away(blobs: &Blobs, error: &BlobError) -> Put {
    tracing::warn!(%error, "a large content is stored in the database: the object store failed");
    blobs.rest();
    Put::Away
}
