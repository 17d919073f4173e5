//! What an authorization server has given out.

use std::collections::{BTreeMap, BTreeSet};

use super::OAuthRequest;

/// Clients, codes and tokens.
#[derive(Debug)]
pub(super) struct Grants {
    /// The address of the authorization server, which is its issuer.
    pub(super) issuer: String,
    pub(super) received: Vec<OAuthRequest>,
    pub(super) secrets: Vec<String>,
    /// The redirects of clients by their ids.
    pub(super) clients: BTreeMap<String, String>,
    pub(super) codes: BTreeMap<String, Code>,
    pub(super) access: BTreeSet<String>,
    pub(super) refresh: BTreeSet<String>,
    /// Seconds that a token lives.
    pub(super) life: u64,
    pub(super) registers: bool,
    pub(super) elsewhere: Option<String>,
    made: u32,
}

/// What a code was given for.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) client: String,
    pub(super) redirect: String,
    pub(super) challenge: String,
    pub(super) scope: String,
}

impl Grants {
    pub(super) fn new(issuer: String) -> Self {
        Self {
            issuer,
            received: Vec::new(),
            secrets: Vec::new(),
            clients: BTreeMap::new(),
            codes: BTreeMap::new(),
            access: BTreeSet::new(),
            refresh: BTreeSet::new(),
            life: 3600,
            registers: true,
            elsewhere: None,
            made: 0,
        }
    }

    /// A new name that was not given before.
    pub(super) fn name(&mut self, kind: &str) -> String {
        self.made += 1;
        format!("{kind}-{:04}-canary", self.made)
    }

    /// A new secret.
    pub(super) fn secret(&mut self, kind: &str) -> String {
        let secret = self.name(kind);
        self.secrets.push(secret.clone());
        secret
    }
}
