//! The port that turns a host's name into addresses.

use std::fmt::Debug;
use std::io::Result;
use std::net::IpAddr;

use async_trait::async_trait;

/// Finds the addresses of a host.
///
/// # Contract
/// - MUST give every address that a connection could be made to: those that are given are judged, and the connection is
///   made to one of them without another look.
/// - MUST stop when the future is dropped.
///
/// # When it fails
/// The page cannot be had, and the model is told why.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait HostLookup: Debug + Send + Sync {
    /// The addresses of this host.
    async fn lookup(&self, host: &str) -> Result<Vec<IpAddr>>;
}

const _: Option<&dyn HostLookup> = None;

/// Asks the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

#[async_trait]
impl HostLookup for SystemLookup {
    async fn lookup(&self, host: &str) -> Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
    }
}
