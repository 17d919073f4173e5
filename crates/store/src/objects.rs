//! Contents of results outside the database, in an object store.
//!
//! A row that has its content in an object has the object's address and an empty content. The object has the bytes that the
//! row would have, encrypted or not, so a content moves in and out without a change. An address is the place, the digest of
//! these bytes and a random part, so an object that was read is checked by its name.
//!
//! **No row without its object.** An address is noted in `loose_objects` before its object is written, and the transaction that
//! gives it to a row takes the note away. An object that no row has any more is noted by a trigger, and removed after the
//! transaction. As no address is ever made twice, a removal that comes late removes nothing that is in use. Rows may share an
//! object: a fork, and an equal content that is not encrypted. A row gets the address of another one only in a transaction
//! that holds that other row, so the last of them is not deleted meanwhile.

mod address;
mod loose;
mod put;
mod read;

use crate::blobs::Blobs;
use crate::database::Database;

pub(crate) use address::Address;
pub(crate) use put::Put;

impl Database {
    /// The object store, if a content of this length goes there.
    pub(crate) fn blobs_for(&self, length: usize) -> Option<&Blobs> {
        self.blobs.get().filter(|blobs| blobs.takes(length))
    }
}
