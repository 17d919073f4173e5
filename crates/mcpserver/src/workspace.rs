//! The folders whose sessions a client may see.
#![expect(
    deprecated,
    reason = "roots are deprecated in the protocol, and clients still name their workspace by them"
)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::service::Peer;
use throughline_memory::Scope;
use throughline_stored::memo_scope;
use tokio::time::timeout;
use url::Url;

/// How long the client may take to name its roots.
const ROOTS: Duration = Duration::from_secs(3);

/// Maximum number of roots that count.
const MAX_ROOTS: usize = 64;

/// What a server shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// The folder that the server was started in, with all links followed.
    pub folder: PathBuf,
    /// Sessions and memos of all folders are visible.
    pub any_folder: bool,
    /// The roots that the client names count as folders of it too. Only a client that started the server may widen its
    /// own view.
    pub roots: bool,
}

/// The workspace of one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Workspace {
    /// Where new plans are filed.
    pub(crate) home: String,
    /// The memos of the home, and where new ones are filed.
    memos: Scope,
    /// The folders whose sessions are visible; `None`: all.
    folders: Option<Vec<String>>,
}

impl Workspace {
    /// The folder of the server, and those that the client names.
    pub(crate) fn new(visible: &Visible, roots: &[PathBuf]) -> Self {
        let start = visible.folder.display().to_string();
        let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
        // A client may start its servers anywhere; then its first root is what it works on.
        let home = match roots.first() {
            Some(first) if !roots.contains(&start) => first.clone(),
            _ => start.clone(),
        };
        let mut folders = roots;
        folders.push(start);
        // A client from elsewhere sees a folder, and not the project around it.
        let memos = if visible.roots { memo_scope(Path::new(&home)) } else { Scope::folder(home.clone()) };
        Self { home, memos, folders: (!visible.any_folder).then_some(folders) }
    }

    /// Returns true if the sessions of a folder are visible.
    pub(crate) fn shows(&self, folder: &str) -> bool {
        self.folders.as_ref().is_none_or(|folders| folders.iter().any(|one| one == folder))
    }

    /// Returns true if the sessions of every folder are visible.
    pub(crate) fn shows_all(&self) -> bool {
        self.folders.is_none()
    }

    /// The memos that are visible.
    pub(crate) fn visible_memos(&self) -> Scope {
        if self.shows_all() { Scope::All } else { self.memos.clone() }
    }

    /// The folder that new memos belong to.
    pub(crate) fn memo_folder(&self) -> Option<String> {
        self.memos.root().map(str::to_owned)
    }
}

/// The folders that a client names as its roots. One that cannot be used is left out.
pub(crate) async fn client_roots(peer: &Peer<RoleServer>) -> Vec<PathBuf> {
    let offered = peer.peer_info().is_some_and(|info| info.capabilities.roots.is_some());
    if !offered {
        return Vec::new();
    }
    match timeout(ROOTS, peer.list_roots()).await {
        Ok(Ok(listed)) => listed.roots.iter().take(MAX_ROOTS).filter_map(|root| folder(&root.uri)).collect(),
        Ok(Err(error)) => {
            tracing::warn!(%error, "the client did not name its roots");
            Vec::new()
        }
        Err(_) => {
            tracing::warn!("the client did not name its roots in time");
            Vec::new()
        }
    }
}

/// The folder of a `file:` address.
fn folder(uri: &str) -> Option<PathBuf> {
    let path = Url::parse(uri).ok().filter(|url| url.scheme() == "file")?.to_file_path().ok()?;
    throughline_config::workspace(Some(Path::new(&path))).ok()
}

#[cfg(test)]
mod tests;
