//! The tokens that requests to a server carry.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::transport::{AuthError, AuthorizationManager};
use throughline_text::error_chain;

use crate::authorization::{known_client, manager};
use crate::config::ServerConfig;
use crate::login_store::LoginStore;
use crate::redact::Redactor;
use crate::stored_login::{LoginFile, StoredLogin, Tokens};

/// The login of one server in use: gives its requests the token, and renews it. A login that is made meanwhile, also by
/// another process, is used at once.
#[derive(Debug)]
pub(crate) struct Access {
    name: String,
    file: LoginFile,
    redactor: Redactor,
    /// Held while the tokens are renewed, so that they are renewed once.
    renewing: tokio::sync::Mutex<()>,
    refused: Mutex<Refused>,
}

/// What the server last refused.
#[derive(Default)]
struct Refused {
    needs_login: bool,
    token: Option<String>,
    /// Why the tokens could not be renewed just now, where a later try may.
    problem: Option<String>,
}

impl std::fmt::Debug for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Refused").field("needs_login", &self.needs_login).finish_non_exhaustive()
    }
}

impl Access {
    /// That of a server; `None` for one that has no use for a login.
    pub(crate) fn of(config: &ServerConfig, store: Arc<dyn LoginStore>, redactor: &Redactor) -> Option<Self> {
        let file = LoginFile::of(config, store)?;
        Some(Self {
            name: config.name.clone(),
            file,
            redactor: redactor.clone(),
            renewing: tokio::sync::Mutex::default(),
            refused: Mutex::default(),
        })
    }

    /// The token of the next request, renewed if it has expired. `None` without a login.
    pub(crate) async fn token(&self) -> Option<String> {
        let tokens = self.tokens()?;
        if !tokens.is_expired() {
            return Some(tokens.access_token);
        }
        self.renew(&tokens.access_token).await
    }

    /// The token after a request with this one was refused: one that was stored meanwhile, or a renewed one. `None`: there is
    /// no better one.
    pub(crate) async fn after_refusal(&self, refused: Option<&str>) -> Option<String> {
        match refused {
            Some(token) => self.renew(token).await,
            None => None,
        }
    }

    /// Records that the server refused this token, or a request without one, and says what to do.
    pub(crate) fn refuse(&self, token: Option<&str>) -> String {
        let mut refused = self.refused();
        refused.token = token.map(str::to_owned);
        refused.needs_login = refused.problem.is_none();
        match refused.problem.take() {
            Some(why) => {
                format!(
                    "its login could not be renewed: {why}; try again, or run throughline mcp login {}",
                    self.name
                )
            }
            None => format!("it needs a login: throughline mcp login {}", self.name),
        }
    }

    /// Says what to do about a login that does not allow a request.
    pub(crate) fn refuse_scope(&self, scope: Option<&str>) -> String {
        let (name, scope) = (&self.name, scope.unwrap_or_default());
        match scope {
            "" => format!(
                "its login does not allow this: throughline mcp login {name}, with an account that may"
            ),
            scope => format!(
                "its login does not allow this without the scope {scope:?}: add it to the `scopes` of the server, and run \
                 throughline mcp login {name}"
            ),
        }
    }

    /// Records that the server took a request.
    pub(crate) fn accept(&self) {
        self.refused().needs_login = false;
    }

    /// Returns true if the server last refused a request for want of a login.
    pub(crate) fn needs_login(&self) -> bool {
        self.refused().needs_login
    }

    /// Returns true if there is another token than the one that was refused last.
    pub(crate) fn has_new_token(&self) -> bool {
        let (needs_login, refused) = {
            let refused = self.refused();
            (refused.needs_login, refused.token.clone())
        };
        needs_login && self.tokens().is_some_and(|tokens| Some(tokens.access_token) != refused)
    }

    fn refused(&self) -> std::sync::MutexGuard<'_, Refused> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tokens(&self) -> Option<Tokens> {
        let login = self.login()?;
        let tokens = login.tokens()?;
        self.redactor.learn(&tokens.access_token);
        tokens.refresh_token.iter().for_each(|token| self.redactor.learn(token));
        Some(tokens)
    }

    fn login(&self) -> Option<StoredLogin> {
        match self.file.read() {
            Ok(login) => login,
            Err(why) => {
                tracing::warn!(server = self.name, why = self.redactor.line(&why), "there is no login");
                None
            }
        }
    }

    /// Another token than this one. It is renewed with the authorization server that gave it, and nowhere else.
    async fn renew(&self, old: &str) -> Option<String> {
        let _guard = self.renewing.lock().await;
        let login = self.login()?;
        let tokens = self.tokens()?;
        // Another request or process was faster.
        if tokens.access_token != old && !tokens.is_expired() {
            return Some(tokens.access_token);
        }
        tokens.refresh_token?;
        match self.exchange(login).await {
            Ok(()) => self.tokens().map(|tokens| tokens.access_token),
            Err(error) => {
                let why = self.redactor.line(&error_chain(&error));
                tracing::warn!(server = self.name, why, "the login was not renewed");
                let is_final = matches!(
                    error,
                    AuthError::TokenRefreshRejected(_)
                        | AuthError::AuthorizationRequired
                        | AuthError::AuthorizationServerMismatch { .. }
                );
                self.refused().problem = (!is_final).then_some(why);
                None
            }
        }
    }

    async fn exchange(&self, login: StoredLogin) -> Result<(), AuthError> {
        let file = self.file.with_secret(login.client_secret.clone());
        let mut manager: AuthorizationManager = manager(&self.file.url).await?;
        manager.set_credential_store(file);
        let metadata = manager.resolve_metadata().await?.metadata;
        if metadata.issuer != login.credentials.issuer {
            // The server now names another authorization server, which does not get the tokens of the first one.
            self.file.end(&login.credentials)?;
            let expected_issuer = login.credentials.issuer.unwrap_or_default();
            let received_issuer = metadata.issuer.unwrap_or_default();
            return Err(AuthError::AuthorizationServerMismatch { expected_issuer, received_issuer });
        }
        manager.set_metadata(metadata);
        manager.configure_client(known_client(
            &login.credentials.client_id,
            login.client_secret,
            &self.file.url,
        ))?;
        manager.refresh_token().await.map(drop)
    }
}
