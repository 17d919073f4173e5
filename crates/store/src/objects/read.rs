//! Reading the content of a row from its object.

use super::address::Address;
use crate::database::Database;
use crate::object_error::ObjectError;

impl Database {
    /// The stored content of a row: its own, or that of its object.
    pub(crate) async fn content(
        &self,
        session: &str,
        id: &str,
        content: Vec<u8>,
        object: Option<String>,
    ) -> Result<Vec<u8>, ObjectError> {
        match object {
            Some(address) => self.object(session, id, &Address::stored(address)).await,
            None => Ok(content),
        }
    }

    async fn object(&self, session: &str, id: &str, address: &Address) -> Result<Vec<u8>, ObjectError> {
        let named = || (session.to_owned(), id.to_owned(), address.to_string());
        let Some(blobs) = self.blobs.get() else {
            let (session, id, address) = named();
            return Err(ObjectError::NotSet { session, id, address });
        };
        match blobs.store.get(address.key()).await {
            Ok(Some(bytes)) if address.names(&bytes) => Ok(bytes),
            Ok(Some(_)) => {
                let (session, id, address) = named();
                Err(ObjectError::Damaged { session, id, address })
            }
            Ok(None) => {
                let ((session, id, address), place) = (named(), blobs.store.place().to_owned());
                Err(ObjectError::Missing { session, id, address, place })
            }
            Err(source) => {
                let (session, id, address) = named();
                Err(ObjectError::Unread { session, id, address, source })
            }
        }
    }
}
