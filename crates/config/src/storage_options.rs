//! Where sessions are stored and how that is opened: what a power failure may take, and the key of what is encrypted.

mod blobs;
mod database;
mod key;
mod retention;

use throughline_settings::{Resolved, keys};
use throughline_store::Durability;
use throughline_text::error_chain;

use crate::layers::of_user;

pub use blobs::StorageBlobs;
pub use database::StorageDatabase;
pub use key::StorageKey;
pub use retention::Retention;

/// How the data folder is opened.
#[derive(Debug, Clone, Default)]
pub struct StorageOptions {
    /// What a power failure may take of the stored records.
    pub durability: Durability,
    /// The key that contexts, stored results and snapshots are encrypted with.
    pub key: StorageKey,
    /// The database of the sessions.
    pub database: StorageDatabase,
    /// Statements follow each other, as in one run: opening a file is cheaper then.
    pub serial: bool,
    /// The place of the contents of large results.
    pub blobs: StorageBlobs,
}

impl StorageOptions {
    /// Those that settings ask for.
    pub fn of(settings: &Resolved) -> Self {
        let durability = match settings.get(keys::DURABILITY).as_deref() {
            Some("full") => Durability::Full,
            _ => Durability::Normal,
        };
        Self {
            durability,
            key: StorageKey::of(settings),
            database: StorageDatabase::of(settings),
            blobs: StorageBlobs::of(settings),
            serial: false,
        }
    }

    /// Those that the user's settings ask for. Settings that cannot be read may have asked for the full durability, for a key,
    /// and for a server.
    pub fn of_user() -> Self {
        match of_user() {
            Ok(settings) => Self::of(&settings),
            Err(error) => {
                let why = error_chain(&error);
                let (key, database) = (StorageKey::Unknown(why.clone()), StorageDatabase::Unknown(why));
                Self {
                    durability: Durability::Full,
                    key,
                    database,
                    blobs: StorageBlobs::Database,
                    serial: false,
                }
            }
        }
    }
}
