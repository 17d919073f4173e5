//! Large results of a session, as people read them.

use throughline_conversation::ResultRef;
use throughline_resultstore::{
    OffloadPolicy, ReadError, ReadRequest, ResultInfo, ResultPage, ResultStore, StoredResult,
};

use crate::error::{Attempt as _, Error, Result};
use crate::handle::SessionHandle;

impl SessionHandle {
    /// The stored results, oldest first.
    ///
    /// # Errors
    /// The results cannot be listed.
    pub async fn results(&self) -> Result<Vec<ResultInfo>> {
        self.result_store().list().await.attempt(|| "the stored results cannot be listed".to_owned())
    }

    /// A stored result with its bytes.
    ///
    /// # Errors
    /// [`Error::Missing`] if the session has none of this name.
    pub async fn result(&self, id: &ResultRef) -> Result<StoredResult> {
        let found = self.result_store().find(id).await.attempt(|| format!("result {id} cannot be read"))?;
        found.ok_or_else(|| self.no_result(id))
    }

    /// A part of a stored result, or the lines of it that have a text, as the model reads it.
    ///
    /// # Errors
    /// [`Error::Missing`] if the session has none of this name, [`Error::Usage`] for a place behind its end.
    pub async fn result_page(&self, request: &ReadRequest) -> Result<ResultPage> {
        self.result_store().read(request).await.map_err(|error| match error {
            ReadError::NotFound(id) => self.no_result(&id),
            ReadError::PastEnd { .. } | ReadError::Input(_) => Error::usage(error.to_string()),
            ReadError::Store(error) => Error::Other(error.into()),
        })
    }

    fn no_result(&self, id: &ResultRef) -> Error {
        Error::Missing(format!("session {} has no stored result {:?}", self.session, id.as_str()))
    }

    /// The store of the results, for reading.
    #[must_use]
    pub fn result_store(&self) -> ResultStore {
        ResultStore::new(self.storage.results(), self.session.clone(), OffloadPolicy::seed(), [])
    }
}
