//! Why a login failed.

/// Why there is no login, and what to do. Without secrets; the name of the server is the caller's to add.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoginError {
    /// It is a program.
    #[error("it is a program; only a server with an address has a login")]
    Program,
    /// The configuration has a key.
    #[error(
        "it is configured with an `Authorization` header; remove that from its `headers` to log in instead"
    )]
    HasKey,
    /// The token would be readable on the network.
    #[error("its address begins with http://, so everyone on the way could read the token; use https://")]
    Unencrypted,
    /// It answers without a login, and names no authorization server.
    #[error("it asks for no login")]
    NotNeeded,
    /// Nothing answers at its address.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// It names no authorization server that can be used.
    #[error(
        "its authorization server cannot be used: {0}; if it gives out keys instead, set one in `headers`, for example as \
         `Authorization`"
    )]
    Unsupported(String),
    /// A client has to be registered by hand.
    #[error(
        "its authorization server did not register throughline: {why}; register a client there by hand with the redirect \
         {redirect}, and set its id: mcp add --client-id ID --callback-port {port}"
    )]
    Unregistered {
        /// What the authorization server said.
        why: String,
        /// An address that can be registered.
        redirect: String,
        /// The port of that address.
        port: u16,
    },
    /// The port of the redirect cannot be used.
    #[error(
        "port {port} of this machine cannot be used for the redirect: {why}; free it, or set another `callback_port`"
    )]
    Port {
        /// The port.
        port: u16,
        /// Why not.
        why: String,
    },
    /// The user or the authorization server said no.
    #[error("the login was refused: {0}; try again")]
    Refused(String),
    /// The authorization server gave no token.
    #[error("the authorization server gave no token: {0}; try again")]
    NoToken(String),
    /// The login is not stored.
    #[error("{0}")]
    Store(String),
    /// Time is over.
    #[error("no answer came within {0} minutes; try again")]
    TimedOut(u64),
}
