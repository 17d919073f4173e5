//! The stored login to a server.

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use rmcp::transport::{AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use throughline_text::{cut_end, hexadecimal};

use crate::config::{ServerConfig, Transport};
use crate::http;
use crate::login_store::LoginStore;

/// Characters of a server's name in a key.
const SHOWN_NAME: usize = 32;

/// Seconds before its end at which a token counts as expired: it must outlive its request.
const MARGIN: u64 = 30;

/// The stored login of one server. Belongs to its name and its whole address: a server of the same name elsewhere has none.
#[derive(Clone)]
pub(crate) struct LoginFile {
    store: Arc<dyn LoginStore>,
    key: String,
    pub(crate) url: String,
    /// The secret of the client, which the SDK does not store.
    pub(crate) client_secret: Option<String>,
}

/// What is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredLogin {
    /// The address that the tokens are for.
    url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client_secret: Option<String>,
    pub(crate) credentials: StoredCredentials,
}

/// The tokens of a login.
#[derive(Deserialize)]
pub(crate) struct Tokens {
    pub(crate) access_token: String,
    pub(crate) refresh_token: Option<String>,
    /// Seconds of the access token's life.
    expires_in: Option<u64>,
    /// Seconds since 1970 at which it began.
    #[serde(skip)]
    received: Option<u64>,
}

impl fmt::Debug for LoginFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoginFile").field("key", &self.key).finish_non_exhaustive()
    }
}

impl LoginFile {
    /// That of a server; `None` for one that has no use for a login: a program, one with an `Authorization` header, and one
    /// whose address would show the token to the network.
    pub(crate) fn of(config: &ServerConfig, store: Arc<dyn LoginStore>) -> Option<Self> {
        let Transport::Http { url, headers } = &config.transport else { return None };
        if http::is_unencrypted(url) || http::has_key(headers) {
            return None;
        }
        let digest = Sha256::digest(format!("{}\0{url}", config.name));
        let key = format!("mcp-{}-{}", cut_end(&config.name, SHOWN_NAME), hexadecimal(digest.iter().take(8)));
        Some(Self { store, key, url: url.clone(), client_secret: None })
    }

    /// The stored login, if there is one for this address.
    ///
    /// # Errors
    /// Why it cannot be read, without its content.
    pub(crate) fn read(&self) -> Result<Option<StoredLogin>, String> {
        let Some(text) =
            self.store.read(&self.key).map_err(|error| format!("its login cannot be read: {error}"))?
        else {
            return Ok(None);
        };
        // The text of an error could quote a token.
        let login: StoredLogin =
            serde_json::from_str(&text).map_err(|_| "its stored login is damaged".to_owned())?;
        Ok(Some(login).filter(|login| login.url == self.url))
    }

    /// The same for a client with this secret.
    pub(crate) fn with_secret(&self, client_secret: Option<String>) -> Self {
        Self { client_secret, ..self.clone() }
    }

    /// Forgets the tokens, so that the login is shown as ended. The client stays.
    ///
    /// # Errors
    /// The login cannot be written.
    pub(crate) fn end(&self, credentials: &StoredCredentials) -> Result<(), AuthError> {
        let mut ended = credentials.clone();
        ended.token_response = None;
        self.write(ended).map_err(AuthError::CredentialStoreError)
    }

    /// Deletes the login. Returns false if no login is stored.
    ///
    /// # Errors
    /// Why it cannot be deleted.
    pub(crate) fn remove(&self) -> Result<bool, String> {
        self.store.remove(&self.key).map_err(|error| format!("its login cannot be deleted: {error}"))
    }

    fn write(&self, credentials: StoredCredentials) -> Result<(), String> {
        let login =
            StoredLogin { url: self.url.clone(), client_secret: self.client_secret.clone(), credentials };
        let text = serde_json::to_string(&login).map_err(|error| error.to_string())?;
        self.store.write(&self.key, &text).map_err(|error| error.to_string())
    }
}

impl StoredLogin {
    /// Its tokens; `None` if the server has refused to renew them.
    pub(crate) fn tokens(&self) -> Option<Tokens> {
        let response = serde_json::to_value(self.credentials.token_response.as_ref()?).ok()?;
        let tokens: Tokens = serde_json::from_value(response).ok()?;
        Some(Tokens { received: self.credentials.token_received_at, ..tokens })
    }
}

impl Tokens {
    /// Returns true if the access token has expired, or is about to.
    pub(crate) fn is_expired(&self) -> bool {
        let (Some(life), Some(received)) = (self.expires_in, self.received) else { return false };
        received.saturating_add(life) < now().saturating_add(MARGIN)
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[async_trait]
impl CredentialStore for LoginFile {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let login = self.read().map_err(AuthError::CredentialStoreError)?;
        Ok(login.map(|login| login.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.write(credentials).map_err(AuthError::CredentialStoreError)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.remove().map(drop).map_err(AuthError::CredentialStoreError)
    }

    async fn on_refresh_token_rejected(&self, credentials: &StoredCredentials) -> Result<(), AuthError> {
        self.end(credentials)
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let (store, key) = (Arc::clone(&self.store), self.key.clone());
        let locked = tokio::task::spawn_blocking(move || store.lock(&key)).await;
        let locked = locked.map_err(|error| AuthError::CredentialStoreError(error.to_string()))?;
        let guard = locked.map_err(|error| AuthError::CredentialStoreError(error.to_string()))?;
        Ok(Some(CredentialRefreshGuard::new(guard)))
    }
}
