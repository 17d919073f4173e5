//! The port that resolves host names.

use std::fmt::Debug;
use std::io::Result;
use std::net::IpAddr;

use async_trait::async_trait;

/// Resolves a host name to its addresses.
///
/// # Contract
/// - MUST return every address that a connection could use: these are checked, and the connection uses one of them
///   without another lookup.
/// - MUST stop when the future is dropped.
///
/// # When it fails
/// The page cannot be fetched, and the output of the call says why.
#[cfg_attr(test, mockall::automock)]
#[async_trait]
pub(crate) trait HostLookup: Debug + Send + Sync {
    /// Resolves this host.
    async fn lookup(&self, host: &str) -> Result<Vec<IpAddr>>;
}

const _: Option<&dyn HostLookup> = None;

/// The resolver of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemLookup;

#[async_trait]
impl HostLookup for SystemLookup {
    async fn lookup(&self, host: &str) -> Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
    }
}
