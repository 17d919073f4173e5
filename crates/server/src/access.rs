//! Which tokens are known: the server's own, and those of its users.

use axum::http::StatusCode;
use throughline_config::AccessToken;
use throughline_store::{SeaUserTokens, UserToken};
use throughline_stored::now;
use throughline_text::error_chain;

use crate::answer::Failure;
use crate::caller::Caller;

/// Tells who a secret belongs to. Each request asks the database, so a revoked token is refused at once by every server.
#[derive(Debug)]
pub(crate) struct Access {
    server: AccessToken,
    users: SeaUserTokens,
}

impl Access {
    pub(crate) fn new(server: AccessToken, users: SeaUserTokens) -> Self {
        Self { server, users }
    }

    /// Who shows this secret; `None`: it is unknown, revoked or expired.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn caller(&self, secret: &str) -> Result<Option<Caller>, Failure> {
        let Some(id) = UserToken::id_in(secret) else {
            return Ok(self.server.is(secret).then(Caller::server));
        };
        let found = self.users.find(id).await.map_err(|error| {
            let error = error_chain(&error);
            tracing::error!(error, "a token cannot be checked");
            Failure::new(StatusCode::SERVICE_UNAVAILABLE, format!("the token cannot be checked: {error}"))
        })?;
        Ok(found.filter(|token| token.accepts(secret) && token.is_valid(now())).map(Caller::of))
    }

    /// Returns false if the token of a caller was revoked or has expired since. Without an answer of the database it counts as
    /// valid: the next look finds out.
    pub(crate) async fn is_valid(&self, caller: &Caller) -> bool {
        let Some(id) = &caller.token else { return true };
        match self.users.find(id).await {
            Ok(found) => found.is_some_and(|token| token.is_valid(now())),
            Err(error) => {
                tracing::warn!(error = error_chain(&error), "a token cannot be checked");
                true
            }
        }
    }
}
