//! Encrypting what is written, and decrypting what is read.
//!
//! The database records the id of its key when the first value is encrypted. From then on no value is written with
//! another key or without one.

use sea_orm::{ConnectionTrait as _, DbErr};

use crate::database::Database;
use crate::dialect::statement;
use crate::encryption_error::EncryptionError;
use crate::encryption_key::{EncryptionKey, KeyId};
use crate::sealed::{self, Encrypted, RowName, Stored};
use crate::store::Store;

const RECORDED: &str = "SELECT key_id FROM encryption";

impl Store {
    /// Encrypts the contexts, results and snapshots that are written from now on with this key, by all clones too, and
    /// decrypts those that were encrypted with it. A second key changes nothing.
    #[must_use]
    pub fn with_key(self, key: EncryptionKey) -> Self {
        let _ = self.database.key.set(key);
        self
    }

    /// The key that values of this database are encrypted with; `None`: none was ever encrypted.
    ///
    /// # Errors
    /// [`EncryptionError::Database`].
    pub async fn recorded_key(&self) -> Result<Option<KeyId>, EncryptionError> {
        self.database().recorded_key().await
    }

    /// Fails if this database is encrypted with another key than that of the store. Nothing is written.
    ///
    /// # Errors
    /// [`EncryptionError`], which names both keys.
    pub async fn check_key(&self) -> Result<(), EncryptionError> {
        match self.recorded_key().await? {
            Some(recorded) => self.database().key(recorded).map(drop),
            None => Ok(()),
        }
    }
}

impl Database {
    /// The key that this id needs.
    pub(crate) fn key(&self, needed: KeyId) -> Result<&EncryptionKey, EncryptionError> {
        let path = || self.path.clone();
        match self.key.get() {
            Some(key) if key.id() == needed => Ok(key),
            Some(key) => Err(EncryptionError::OtherKey { path: path(), key: needed, own: key.id() }),
            None => Err(EncryptionError::NoKey { path: path(), key: needed }),
        }
    }

    /// The key that every new value is encrypted with; `None`: they are stored unchanged. Records a key before its
    /// first use.
    async fn key_for_writing(&self) -> Result<Option<&EncryptionKey>, EncryptionError> {
        let mut recorded = self.recorded_key().await?;
        if let (Some(own), None) = (self.key.get(), recorded) {
            let record = self.dialect().record_key();
            let insert = statement(&self.connection, record, [own.id().to_string().into()]);
            self.connection.execute_raw(insert).await.map_err(|error| self.fault(error))?;
            // Another process may have been first.
            recorded = self.recorded_key().await?;
        }
        recorded.map(|recorded| self.key(recorded)).transpose()
    }

    pub(crate) async fn recorded_key(&self) -> Result<Option<KeyId>, EncryptionError> {
        let row = self.connection.query_one_raw(statement(&self.connection, RECORDED, [])).await;
        let row = row.map_err(|error| self.fault(error))?;
        let Some(row) = row else { return Ok(None) };
        let text: String = row.try_get_by_index(0).map_err(|error| self.fault(error))?;
        let unreadable = || DbErr::Custom(format!("the id of its encryption key is damaged: {text:?}"));
        Ok(Some(KeyId::from_text(&text).ok_or_else(|| self.fault(unreadable()))?))
    }

    /// The form in which a value is stored.
    pub(crate) async fn seal(&self, row: RowName<'_>, value: &[u8]) -> Result<Vec<u8>, EncryptionError> {
        match self.key_for_writing().await? {
            Some(key) => self.seal_with(key, row, value),
            None => Ok(sealed::unencrypted(value).into_owned()),
        }
    }

    /// The same with this key.
    pub(crate) fn seal_with(
        &self,
        key: &EncryptionKey,
        row: RowName<'_>,
        value: &[u8],
    ) -> Result<Vec<u8>, EncryptionError> {
        key.seal(row, value).ok_or_else(|| EncryptionError::Unsealed { path: self.path.clone() })
    }

    /// The form in which a text is stored.
    pub(crate) async fn seal_text(&self, row: RowName<'_>, text: String) -> Result<String, EncryptionError> {
        match self.key_for_writing().await? {
            Some(key) => Ok(sealed::to_text(&self.seal_with(key, row, text.as_bytes())?)),
            None => Ok(sealed::unencrypted_text(text)),
        }
    }

    /// The value that was stored.
    pub(crate) fn unseal(&self, row: RowName<'_>, value: Vec<u8>) -> Result<Vec<u8>, EncryptionError> {
        match sealed::stored(&value) {
            Ok(Stored::Plain(plain)) if plain.len() == value.len() => Ok(value),
            Ok(Stored::Plain(plain)) => Ok(plain.to_vec()),
            Ok(Stored::Encrypted(encrypted)) => self.decrypt(row, &encrypted),
            Err(_) => Err(self.unknown_form(row)),
        }
    }

    /// The text that was stored, as bytes.
    pub(crate) fn unseal_text(&self, row: RowName<'_>, text: Vec<u8>) -> Result<Vec<u8>, EncryptionError> {
        match sealed::of_text(&text) {
            None => Ok(text),
            Some(Ok(value)) => self.unseal(row, value),
            Some(Err(_)) => Err(self.unknown_form(row)),
        }
    }

    /// The value before encryption.
    pub(crate) fn decrypt(
        &self,
        row: RowName<'_>,
        value: &Encrypted<'_>,
    ) -> Result<Vec<u8>, EncryptionError> {
        self.key(value.key)?.unseal(row, value).ok_or_else(|| EncryptionError::Altered {
            path: self.path.clone(),
            table: row.table,
            session: row.session.to_owned(),
            key: value.key,
        })
    }

    fn unknown_form(&self, row: RowName<'_>) -> EncryptionError {
        let (path, table, session) = (self.path.clone(), row.table, row.session.to_owned());
        EncryptionError::UnknownForm { path, table, session }
    }
}
