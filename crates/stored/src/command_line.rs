//! The options of a command line that opens the same storage.

use throughline_text::shell_option;

use crate::storage::Storage;

/// The options with which a command line finds the sessions again; empty for those of the user's settings. A password is
/// left out.
#[must_use]
pub fn data_dir_option(storage: &Storage) -> String {
    let server = storage.is_named_server().then(|| storage.store.path());
    shell_option("--data-dir", storage.named.as_deref()) + &shell_option("--database", server)
}
