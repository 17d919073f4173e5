//! Leases in a build without the feature `postgres`: it opens no server, so there are none.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use throughline_conversation::SessionId;

use crate::database_error::DatabaseError;
use crate::lock_error::LockError;

/// The leases of this process. Has no value.
#[derive(Debug)]
pub(crate) enum Leases {}

/// The right to write a session on a server. Has no value.
#[derive(Debug)]
pub(crate) enum Lease {}

impl Leases {
    pub(crate) fn token(&self, _: &SessionId) -> Option<i64> {
        match *self {}
    }

    pub(crate) async fn take(&self, _: &SessionId) -> Result<Lease, LockError> {
        match *self {}
    }

    pub(crate) async fn hold(&self, _: &DatabaseTransaction, _: &SessionId) -> Result<bool, DbErr> {
        match *self {}
    }

    pub(crate) async fn other_holder(
        &self,
        _: &impl ConnectionTrait,
        _: &SessionId,
    ) -> Result<Option<DatabaseError>, DbErr> {
        match *self {}
    }
}

impl Lease {
    pub(crate) async fn give_back(self) {
        match self {}
    }
}
